/**
 * A tiny agent program: JSON lines in, JSON lines out, one turn at a time. Instead of a model it has a script, a file
 * that says what to do with the n-th prompt; every prompt it reads is added to a second file.
 *
 *     node examples/line-agent-program.ts script.json prompts.jsonl
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Behaviour } from '../src/testkit/index.ts';

/** What it reads. */
export type LineAgentInput =
  | { readonly type: 'prompt'; readonly dispatch: string; readonly prompt: string }
  | { readonly type: 'answer'; readonly approved: boolean }
  | { readonly type: 'interrupt'; readonly turn: string };

const [scriptFile = '', promptsFile = ''] = process.argv.slice(2);
const session = randomUUID();
const script: Behaviour[] = JSON.parse(readFileSync(scriptFile, 'utf8'));
let turns = 0;
let current: { turn: string; command?: string; child?: ChildProcess } | undefined;

const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);

function end(status: 'completed' | 'interrupted', message: string): void {
  say({ type: 'ended', turn: current?.turn, status, message });
  current = undefined;
}

function begin(dispatch: string, prompt: string): void {
  appendFileSync(promptsFile, `${JSON.stringify(prompt)}\n`);
  const n = readFileSync(promptsFile, 'utf8').trimEnd().split('\n').length;
  const turn = `${session}/${++turns}`;
  current = { turn };
  say({ type: 'started', turn, dispatch });
  const behaviour = script[n - 1] ?? { do: 'reply', text: 'nothing to do' };
  if (behaviour.do === 'silence') return;
  if (behaviour.do === 'die') process.exit(1);
  if (behaviour.do === 'run') {
    current.command = behaviour.command;
    say({ type: 'asks', turn, request: `${turn}/ask`, command: behaviour.command });
    return;
  }
  if (behaviour.do === 'plan') say({ type: 'plan', turn, steps: behaviour.steps });
  if (behaviour.do === 'garbage') process.stdout.write('%%% not JSON\n{"type":"no such type"}\n');
  end('completed', behaviour.do === 'reply' ? behaviour.text : 'done');
}

function onAnswer(approved: boolean): void {
  const { turn, command } = current ?? {};
  if (current === undefined || command === undefined) return;
  const ran = (outcome: string, code: number | null) => {
    say({ type: 'ran', turn, item: `${turn}/command`, command, outcome, code });
    end('completed', 'done');
  };
  if (!approved) {
    ran('declined', null);
    return;
  }
  current.child = spawn('sh', ['-c', command], { stdio: 'ignore', detached: true });
  current.child.on('exit', (code) => {
    if (current?.turn === turn) ran(code === 0 ? 'ok' : 'failed', code);
  });
}

function onInterrupt(turn: string): void {
  if (current?.turn !== turn) return;
  const pid = current.child?.pid;
  if (pid !== undefined) process.kill(-pid);
  end('interrupted', '');
}

appendFileSync(promptsFile, ''); // so that it exists
say({ type: 'ready', session });
for await (const line of createInterface({ input: process.stdin })) {
  const message: LineAgentInput = JSON.parse(line);
  if (message.type === 'prompt') begin(message.dispatch, message.prompt);
  if (message.type === 'answer') onAnswer(message.approved);
  if (message.type === 'interrupt') onInterrupt(message.turn);
}
