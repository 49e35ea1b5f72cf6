import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorkspace } from '../src/edge/workspace/index.ts';

const folders = 500;
const filesPerFolder = 100;
const rounds = 15;

/**
 * The tree of 50,000 files beside `git status` on the same folder: the first reading, readings of an unchanged
 * folder and readings after one edit. The two are measured in turns, so that what else the machine does hits both;
 * the figures are those of the fastest round, in milliseconds: what the work itself costs.
 */
export async function benchTree(): Promise<Record<string, number>> {
  const parent = mkdtempSync(join(tmpdir(), 'tireless-bench-'));
  try {
    const folder = join(parent, 'work');
    makeFiles(folder);
    const env = { PATH: process.env.PATH, HOME: parent };
    const git = (...args: string[]) => {
      const { status, stderr } = spawnSync(
        'git',
        ['-c', 'user.name=b', '-c', 'user.email=b@example.com', ...args],
        { cwd: folder, env },
      );
      if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
    };
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '-m', 'all');
    const workspace = await openWorkspace({
      path: folder,
      stateDir: join(parent, 'state'),
      clock: { at: () => 0 },
      env,
    });
    const tree = async () => {
      const { tree: id, because } = await workspace.tree();
      if (id === 'unknown') throw new Error(`the tree is unknown: ${because}`);
    };
    const firstMs = await timed(tree);
    git('status', '--porcelain');
    const status: number[] = [];
    const unchanged: number[] = [];
    const edited: number[] = [];
    for (let round = 0; round < rounds; round++) {
      status.push(await timed(async () => git('status', '--porcelain')));
      unchanged.push(await timed(tree));
      writeFileSync(join(folder, 'd0', 'f0.ts'), `export const edited = ${round};\n`);
      edited.push(await timed(tree));
    }
    return {
      'tree: files': folders * filesPerFolder,
      'tree: ms of the first reading': tenth(firstMs),
      'tree: ms of git status, fastest of 15': tenth(fastest(status)),
      'tree: ms unchanged, fastest of 15': tenth(fastest(unchanged)),
      'tree: ms after one edit, fastest of 15': tenth(fastest(edited)),
      'tree: unchanged, times git status': hundredth(fastest(unchanged) / fastest(status)),
      'tree: after one edit, times git status': hundredth(fastest(edited) / fastest(status)),
    };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

function makeFiles(folder: string): void {
  for (let at = 0; at < folders; at++) {
    const inner = join(folder, `d${at}`);
    mkdirSync(inner, { recursive: true });
    for (let file = 0; file < filesPerFolder; file++) {
      writeFileSync(join(inner, `f${file}.ts`), `export const x${file} = ${at};\n`.repeat(20));
    }
  }
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\ndist/\n*.log\n.env*\ncoverage/\n');
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const tenth = (figure: number): number => Math.round(figure * 10) / 10;
const hundredth = (figure: number): number => Math.round(figure * 100) / 100;

function fastest(figures: readonly number[]): number {
  return Math.min(...figures);
}
