import type { Command } from 'commander';
import type { Cli } from './cli.ts';

type Load = () => Promise<{ define(command: Command, cli: Cli): void }>;

/** Every command: what it does, and its file, which is loaded when it is typed. Without a description it is ours alone. */
export const commands: Readonly<Record<string, readonly [description: string | null, load: Load]>> = {
  run: ['start a run and watch it; closing the view leaves it running', () => import('./commands/run.ts')],
  demo: ['watch a scripted agent fix a small real project', () => import('./commands/demo.ts')],
  status: ['show the state of a run and what to do next', () => import('./commands/status.ts')],
  runs: ['list all runs, newest first', () => import('./commands/runs.ts')],
  logs: ['show what happened, line by line', () => import('./commands/logs.ts')],
  pause: ['finish the current turn, then start no more', () => import('./commands/pause.ts')],
  resume: [
    'continue a paused or interrupted run; flags raise its limits',
    () => import('./commands/resume.ts'),
  ],
  stop: ['end a run for good', () => import('./commands/stop.ts')],
  steer: [
    'give the agent new instructions, in the running turn or with the next input',
    () => import('./commands/steer.ts'),
  ],
  inbox: ['list the questions waiting for you, in every run', () => import('./commands/inbox.ts')],
  approve: ['allow one action, exactly as shown, once', () => import('./commands/approve.ts')],
  deny: ['refuse one action; the agent is told why and continues', () => import('./commands/deny.ts')],
  answer: ['answer a question from the agent', () => import('./commands/answer.ts')],
  'answer-link': [
    'approve or deny with a link you were sent; it works for one question, once',
    () => import('./commands/answer-link.ts'),
  ],
  report: [
    'show what was asked, done and not done, why the run stopped, and what to do next',
    () => import('./commands/report.ts'),
  ],
  tasks: ['the task queue of an autonomous run', () => import('./commands/tasks.ts')],
  memory: ['what is remembered from run to run', () => import('./commands/memory.ts')],
  mcp: [
    'serve the tools of a run to its agent: MCP on standard input and output',
    () => import('./commands/mcp.ts'),
  ],
  metrics: ['print figures about all runs as text for Prometheus', () => import('./commands/metrics.ts')],
  init: [
    'write a commented .tireless/config.yaml with the checks found here',
    () => import('./commands/init.ts'),
  ],
  service: ['continue unfinished runs when the machine restarts', () => import('./commands/service.ts')],
  completion: [
    'print completion of commands and options for your shell',
    () => import('./commands/completion.ts'),
  ],
  replay: [
    'judge a ledger again and list every divergence; exit 1 if there is one',
    () => import('./commands/replay.ts'),
  ],
  diff: ['show what changed in the workspace', () => import('./commands/diff.ts')],
  restore: [
    'undo: put files back as they were before a turn; the current ones are kept as a savepoint',
    () => import('./commands/restore.ts'),
  ],
  savepoint: ['saved states of the workspace', () => import('./commands/savepoint.ts')],
  checks: [
    'show which checks prove that a run is finished, and why; then run them',
    () => import('./commands/checks.ts'),
  ],
  export: ['print the ledger as JSON lines, with its hashes', () => import('./commands/export.ts')],
  guard: ['what may happen, and who is asked', () => import('./commands/guard.ts')],
  doctor: [
    'show what is installed, missing or broken, and how to fix it',
    () => import('./commands/doctor.ts'),
  ],
  agents: ['the supported agents, and what their logs mean', () => import('./commands/agents.ts')],
  keeper: [null, () => import('./commands/keeper.ts')],
  'scripted-agent': [null, () => import('./commands/scripted-agent.ts')],
};

/** What a person needs first; the rest stands under `help --all`. */
export const everyday: ReadonlySet<string> = new Set([
  'run',
  'status',
  'inbox',
  'approve',
  'diff',
  'restore',
  'stop',
  'report',
]);
