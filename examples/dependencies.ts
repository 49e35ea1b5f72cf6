/** What a host passes to Tireless: here a temporary folder, a store, an agent and the machine's own clock. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Agent,
  type Check,
  createRun,
  type Dependencies,
  endTree,
  holderHere,
  makeClock,
  makeIds,
  makeIngest,
  openWorkspace,
  policySchema,
  processStart,
  type Store,
} from '../src/index.ts';

/** A git repository with one file, and beside it a folder for Tireless's own records. */
export function makePlace(): { readonly workspace: string; readonly state: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tireless-example-')));
  const workspace = join(folder, 'work');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'notes.txt'), 'todo\n');
  execFileSync('git', ['init', '--quiet'], { cwd: workspace });
  return { workspace, state: join(folder, 'state') };
}

export interface Parts {
  readonly store: Store;
  readonly agent: Agent;
  readonly workspace: string;
  readonly state: string;
}

/** Everything one run needs from outside. There is no module state, so runs in one process do not interfere. */
export async function makeDependencies({ store, agent, workspace, state }: Parts): Promise<Dependencies> {
  const clock = makeClock();
  return {
    store,
    agent,
    clock,
    version: 'example',
    workspace: await openWorkspace({ path: workspace, stateDir: state, clock, env: process.env }),
    // A host with secrets in its environment passes makeRedactor(…) here.
    ingest: makeIngest({ clock, redact: (text) => text }),
    holder: holderHere('example'),
    notify: async ({ title, text }) => console.log(`[${title}] ${text}`),
    startOf: processStart,
    endOrphan: async ({ pid, pidStart }) => void (await endTree({ pid, start: pidStart }, 0)),
  };
}

/** Records a new run with its mission, agent, policy and checks. Returns its id. */
export async function recordRun(
  deps: Dependencies,
  mission: string,
  checks: readonly Check[],
): Promise<string> {
  const id = makeIds().run();
  await createRun(deps, {
    id,
    mission,
    checks,
    created: {
      agent: deps.agent.facts,
      policy: policySchema.parse({ limits: { turnsMax: 10 } }),
      configDigest: '0'.repeat(64),
      mode: 'once',
      setup: {},
      by: 'example',
      workspace: deps.workspace.path,
    },
  });
  return id;
}
