import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type AgentAnswer,
  type BackgroundTask,
  type Failure,
  toolServerName,
} from '../../../contract/index.ts';
import type { Word } from './native.ts';
import type { ScriptedTurn, Step } from './script.ts';
import type { ToolClient } from './tool-client.ts';

const outputCharsMax = 20_000;

/** What playing a turn needs and changes. */
export interface Stage {
  readonly say: (word: Word) => void;
  readonly garble: (text: string) => void;
  /** What outlived the turn that started it. */
  background: readonly BackgroundTask[];
  readonly cwd: string;
  readonly asks: boolean;
  readonly paceMs: number;
  readonly tools: ToolClient;
  readonly answers: Map<string, (answer: AgentAnswer) => void>;
  interrupted: boolean;
  turn: string;
  tokens: number;
}

export interface Performed {
  readonly status: 'completed' | 'interrupted' | 'failed';
  readonly message: string;
  readonly failure?: Failure;
}

/** Plays one turn for real: edits files, runs commands, asks first where the script says so. */
export async function perform(turn: ScriptedTurn, stage: Stage): Promise<Performed> {
  let n = 0;
  for (const step of turn.steps) {
    if (stage.interrupted) return { status: 'interrupted', message: 'interrupted' };
    n += 1;
    const failure = await play(step, stage, `${stage.turn}.${n}`);
    if (failure !== null) return { status: 'failed', message: failure.message, failure };
    if (stage.paceMs > 0) await pause(stage.paceMs);
  }
  if (stage.interrupted) return { status: 'interrupted', message: 'interrupted' };
  for (const word of turn.message.split(/(?<=\s)/)) {
    stage.say({ word: 'delta', text: word });
    if (stage.paceMs > 0) await pause(Math.min(20, stage.paceMs));
  }
  stage.say({
    word: 'item',
    turn: stage.turn,
    item: `${stage.turn}.said`,
    kind: 'message',
    outcome: 'ok',
    label: turn.message.slice(0, 200),
    output: turn.message,
  });
  return { status: 'completed', message: turn.message };
}

async function play(step: Step, stage: Stage, item: string): Promise<Failure | null> {
  const { say, turn } = stage;
  if ('say' in step)
    say({
      word: 'item',
      turn,
      item,
      kind: 'message',
      outcome: 'ok',
      label: step.say.slice(0, 200),
      output: step.say,
    });
  else if ('think' in step) await pause(step.think);
  else if ('write' in step) await edit(stage, item, step.write, () => step.text);
  else if ('replace' in step)
    await edit(stage, item, step.replace, (before) => before.replace(step.find, () => step.with));
  else if ('run' in step)
    await run(stage, item, step.run, 'subagent' in step ? { id: step.subagent } : undefined);
  else if ('background' in step) await inBackground(stage, item, step.background);
  else if ('garbage' in step) stage.garble(step.garbage);
  else if ('session' in step) say({ word: 'session', to: `scripted-${randomUUID()}`, because: step.session });
  else if ('tool' in step) await callTool(stage, item, step);
  else if ('ask' in step) await question(stage, item, step);
  else if ('plan' in step) say({ word: 'plan', turn, steps: step.plan });
  else if ('report' in step) say({ word: 'report', turn, status: step.report, evidence: step.evidence });
  else if ('tokens' in step) {
    stage.tokens += step.tokens;
    say({ word: 'usage', usage: { totalTokens: stage.tokens } });
  } else if ('compact' in step) say({ word: 'compacted', turn });
  else if ('die' in step) process.exit(3);
  else if ('hang' in step) while (!stage.interrupted) await pause(20);
  else
    return {
      kind: step.fail,
      message: step.message,
      resetAt: step.resetInMs === undefined ? undefined : Date.now() + step.resetInMs,
    };
  return null;
}

/** Asks and waits; without `asks` everything is allowed. */
function permitted(
  stage: Stage,
  request: string,
  kind: 'command' | 'edit',
  rendered: string,
  more: { paths?: string[]; subagent?: { id: string } } = {},
): Promise<AgentAnswer> {
  if (!stage.asks) return Promise.resolve({ answer: 'approve', because: 'unasked' });
  return answered(stage, request, { word: 'approval', turn: stage.turn, request, kind, rendered, ...more });
}

function answered(stage: Stage, request: string, word: Word): Promise<AgentAnswer> {
  return new Promise((resolve) => {
    stage.answers.set(request, (answer) => {
      stage.answers.delete(request);
      resolve(answer);
    });
    stage.say(word);
  });
}

async function edit(
  stage: Stage,
  item: string,
  path: string,
  change: (before: string) => string,
): Promise<void> {
  const file = join(stage.cwd, path);
  const before = readIfThere(file);
  const after = change(before);
  const answer = await permitted(stage, item, 'edit', `write ${path}\n${after}`, { paths: [path] });
  const allowed = answer.answer === 'approve' && !stage.interrupted;
  if (allowed) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, after);
  }
  stage.say({
    word: 'item',
    turn: stage.turn,
    item,
    kind: 'edit',
    outcome: allowed ? 'ok' : 'declined',
    label: path,
    output: after,
  });
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Starts a command and goes on; what runs is told when it starts and when it ends. */
async function inBackground(stage: Stage, id: string, command: string): Promise<void> {
  const { answer } = await permitted(stage, id, 'command', command);
  if (answer !== 'approve' || stage.interrupted) return;
  const tell = (tasks: readonly BackgroundTask[]): void => {
    stage.background = tasks;
    stage.say({ word: 'background', tasks: [...tasks] });
  };
  tell([...stage.background, { id, kind: 'shell', label: command.slice(0, 300) }]);
  void shell(command, stage.cwd).then(() => tell(stage.background.filter((task) => task.id !== id)));
}

async function run(
  stage: Stage,
  item: string,
  command: string,
  subagent?: { readonly id: string },
): Promise<void> {
  const answer = await permitted(stage, item, 'command', command, { subagent });
  if (answer.answer !== 'approve' || stage.interrupted) {
    stage.say({
      word: 'item',
      turn: stage.turn,
      item,
      kind: 'command',
      outcome: 'declined',
      label: command,
      exitCode: null,
      output: answer.because,
      subagent,
    });
    return;
  }
  const { exitCode, output } = await shell(command, stage.cwd);
  stage.say({
    word: 'item',
    turn: stage.turn,
    item,
    kind: 'command',
    outcome: exitCode === 0 ? 'ok' : 'failed',
    label: command,
    exitCode,
    output,
    subagent,
  });
}

async function callTool(stage: Stage, item: string, step: Extract<Step, { tool: string }>): Promise<void> {
  const { ok, text } = await stage.tools.call(step.tool, step.with);
  const label = `${toolServerName}/${step.tool} ${JSON.stringify(step.with)}`;
  const outcome = ok ? 'ok' : 'failed';
  stage.say({
    word: 'item',
    turn: stage.turn,
    item,
    kind: 'tool',
    outcome,
    label,
    output: text.slice(-outputCharsMax),
  });
}

function shell(command: string, cwd: string): Promise<{ exitCode: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', command], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const take = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-outputCharsMax);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });
}

async function question(stage: Stage, item: string, step: Extract<Step, { ask: string }>): Promise<void> {
  const questions = [{ id: item, question: step.ask, options: step.options }];
  const answer = await answered(stage, item, {
    word: 'question',
    turn: stage.turn,
    request: item,
    questions,
  });
  stage.say({
    word: 'item',
    turn: stage.turn,
    item: `${item}.answer`,
    kind: 'message',
    outcome: 'ok',
    label: `answered: ${answer.text ?? answer.because}`,
  });
}
