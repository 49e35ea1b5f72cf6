import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/** One line of agent.log: a prompt received, or a turn ended. */
export type LogLine =
  | {
      readonly at: number;
      readonly session: string;
      readonly dispatch: string;
      readonly kind: 'turn' | 'steer';
      readonly prompt: string;
    }
  | {
      readonly at: number;
      readonly session: string;
      readonly dispatch: string;
      readonly kind: 'ended';
      readonly status: 'completed' | 'interrupted' | 'failed';
      readonly message: string;
    };

export interface AgentLog {
  append(line: LogLine): void;
  lines(): readonly LogLine[];
}

/** The agent's own record: every prompt is on disk here before the agent acts on it. */
export function openAgentLog(path: string): AgentLog {
  return {
    append(line) {
      const file = openSync(path, 'a');
      try {
        writeSync(file, `${JSON.stringify(line)}\n`);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
    lines: () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').flatMap(lineOf) : []),
  };
}

/** A line truncated by a crash was never acted on. */
function lineOf(text: string): LogLine[] {
  if (text === '') return [];
  try {
    return [JSON.parse(text) as LogLine];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
