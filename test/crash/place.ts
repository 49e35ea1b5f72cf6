import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDemoProject } from '../../src/app/demo/project.ts';
import type { LogLine } from '../../src/edge/agents/scripted/agent-log.ts';
import type { Script } from '../../src/edge/agents/scripted/script.ts';
import { endProcessesWith, processesWith, type Running, startProcess } from '../process-kit.ts';
import { checkScript } from './scripts.ts';

/** One home, one workspace and one agent of their own: nothing is shared between two crashes. */
export interface Place {
  readonly home: string;
  readonly workspace: string;
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Running;
  /** What the agent itself noted: every prompt it took, before it acted. */
  agentLog(run: string): readonly LogLine[];
  boundaries(): readonly string[];
  alive(): readonly number[];
  endAll(): Promise<void>;
  remove(): Promise<void>;
}

/** A folder all places of one test are made in, with a small git project to copy. */
export function makeGround(): { folder: string; template: string; remove(): void } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tireless-crash-')));
  const template = join(folder, 'template');
  mkdirSync(template);
  makeDemoProject(template);
  writeFileSync(join(template, 'check.sh'), checkScript);
  return { folder, template, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function makePlace(
  ground: { folder: string; template: string },
  program: string,
  script: Script,
): Place {
  const own = mkdtempSync(join(ground.folder, 'place-'));
  const [home, workspace, scriptFile, trace] = ['home', 'work', 'script.json', 'trace'].map((name) =>
    join(own, name),
  ) as [string, string, string, string];
  cpSync(ground.template, workspace, { recursive: true });
  writeFileSync(scriptFile, JSON.stringify(script));
  const mark = `TIRELESS_HOME=${home}`;
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: own,
    TIRELESS_HOME: home,
    CRASH_SCRIPT: scriptFile,
  };
  const alive = (): number[] => processesWith(mark);
  return {
    home,
    workspace,
    start: (args, more = {}) =>
      startProcess([process.execPath, program, ...args], {
        cwd: workspace,
        env: { ...env, ...more, CRASH_TRACE: trace },
      }),
    agentLog: (run) =>
      linesOf(join(home, 'runs', run, 'agent.log')).map((line) => JSON.parse(line) as LogLine),
    boundaries: () => linesOf(trace),
    alive,
    endAll: () => endProcessesWith(mark),
    async remove() {
      await endProcessesWith(mark);
      rmSync(own, { recursive: true, force: true });
    },
  };
}

const linesOf = (file: string): string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
