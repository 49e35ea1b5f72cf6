import type { Command } from 'commander';
import type { Cli } from './cli.ts';

interface Listed {
  /** Null for the commands Tireless gives itself. */
  readonly description: string | null;
  /** What a person needs first; the rest stands under `help --all`. */
  readonly everyday?: true;
  load(): Promise<{ define(command: Command, cli: Cli): void }>;
}

/** Every command, one file each. A file is loaded when its command is typed. */
export const commands: Readonly<Record<string, Listed>> = {
  run: {
    description: 'start a run and watch it; closing the view leaves it running',
    everyday: true,
    load: () => import('./commands/run.ts'),
  },
  demo: {
    description: 'watch a scripted agent fix a small real project',
    load: () => import('./commands/demo.ts'),
  },
  status: {
    description: 'show the state of a run and what to do next',
    everyday: true,
    load: () => import('./commands/status.ts'),
  },
  runs: { description: 'list all runs, newest first', load: () => import('./commands/runs.ts') },
  logs: { description: 'show what happened, line by line', load: () => import('./commands/logs.ts') },
  pause: {
    description: 'finish the current turn, then start no more',
    load: () => import('./commands/pause.ts'),
  },
  resume: {
    description: 'continue a paused or interrupted run; flags raise its limits',
    load: () => import('./commands/resume.ts'),
  },
  stop: { description: 'end a run for good', everyday: true, load: () => import('./commands/stop.ts') },
  steer: {
    description: 'give the agent new instructions, in the running turn or with the next input',
    load: () => import('./commands/steer.ts'),
  },
  inbox: {
    description: 'list the questions waiting for you, in every run',
    everyday: true,
    load: () => import('./commands/inbox.ts'),
  },
  approve: {
    description: 'allow one action, exactly as shown, once',
    everyday: true,
    load: () => import('./commands/approve.ts'),
  },
  deny: {
    description: 'refuse one action; the agent is told why and continues',
    load: () => import('./commands/deny.ts'),
  },
  answer: { description: 'answer a question from the agent', load: () => import('./commands/answer.ts') },
  'answer-link': {
    description: 'approve or deny with a link you were sent; it works for one question, once',
    load: () => import('./commands/answer-link.ts'),
  },
  report: {
    description: 'show what was asked, done and not done, why the run stopped, and what to do next',
    everyday: true,
    load: () => import('./commands/report.ts'),
  },
  tasks: { description: 'the task queue of an autonomous run', load: () => import('./commands/tasks.ts') },
  memory: { description: 'what is remembered from run to run', load: () => import('./commands/memory.ts') },
  mcp: {
    description: 'serve the tools of a run to its agent: MCP on standard input and output',
    load: () => import('./commands/mcp.ts'),
  },
  metrics: {
    description: 'print figures about all runs as text for Prometheus',
    load: () => import('./commands/metrics.ts'),
  },
  init: {
    description: 'write a commented .tireless/config.yaml with the checks found here',
    load: () => import('./commands/init.ts'),
  },
  service: {
    description: 'continue unfinished runs when the machine restarts',
    load: () => import('./commands/service.ts'),
  },
  completion: {
    description: 'print completion of commands and options for your shell',
    load: () => import('./commands/completion.ts'),
  },
  replay: {
    description: 'judge a ledger again and list every divergence; exit 1 if there is one',
    load: () => import('./commands/replay.ts'),
  },
  diff: {
    description: 'show what changed in the workspace',
    everyday: true,
    load: () => import('./commands/diff.ts'),
  },
  restore: {
    description: 'undo: put files back as they were before a turn; the current ones are kept as a savepoint',
    everyday: true,
    load: () => import('./commands/restore.ts'),
  },
  savepoint: { description: 'saved states of the workspace', load: () => import('./commands/savepoint.ts') },
  checks: {
    description: 'show which checks prove that a run is finished, and why; then run them',
    load: () => import('./commands/checks.ts'),
  },
  export: {
    description: 'print the ledger as JSON lines, with its hashes',
    load: () => import('./commands/export.ts'),
  },
  guard: { description: 'what may happen, and who is asked', load: () => import('./commands/guard.ts') },
  doctor: {
    description: 'show what is installed, missing or broken, and how to fix it',
    load: () => import('./commands/doctor.ts'),
  },
  agents: {
    description: 'the supported agents, and what their logs mean',
    load: () => import('./commands/agents.ts'),
  },
  keeper: { description: null, load: () => import('./commands/keeper.ts') },
  'scripted-agent': { description: null, load: () => import('./commands/scripted-agent.ts') },
};
