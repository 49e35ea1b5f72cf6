import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import type { RunView } from '../../contract/view.ts';

/** The run a command means, or what to tell the person instead. */
export type Selected = { readonly view: RunView } | { readonly problem: string };

/** By id or any part of one that fits a single run; without it, the newest run of this folder. */
export function selectRun(views: readonly RunView[], wanted: string | undefined, cwd: string): Selected {
  if (wanted === undefined) {
    const here = realPathOr(cwd);
    const mine = views.find((view) => here === view.workspace || here.startsWith(view.workspace + sep));
    if (mine !== undefined) return { view: mine };
    const elsewhere = views.length === 0 ? '' : ' There are runs elsewhere: tireless runs';
    return { problem: `No run in this folder yet. Start one with: tireless run "mission".${elsewhere}` };
  }
  const exact = views.find((view) => view.id === wanted);
  if (exact !== undefined) return { view: exact };
  const fits = views.filter((view) => view.id.includes(wanted));
  if (fits.length === 1 && fits[0] !== undefined) return { view: fits[0] };
  if (fits.length === 0) return { problem: `No run "${wanted}". List them with: tireless runs` };
  return {
    problem: `"${wanted}" matches ${fits.length} runs: ${fits
      .slice(0, 5)
      .map((view) => view.id)
      .join(', ')}`,
  };
}

function realPathOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // a folder that is gone matches by its name
  }
}
