import { createInterface } from 'node:readline/promises';
import type { AgentFacts, Check, Policy } from '../../contract/index.ts';
import type { Config } from '../../edge/config/load.ts';
import { ownVersion } from '../version.ts';
import { clockTime, count, oneLine, tildePath } from './format.ts';
import type { Terminal } from './terminal.ts';

export interface Preflight {
  readonly mission: string;
  readonly workspace: string;
  readonly agent: AgentFacts;
  readonly config: Config;
  readonly checks: readonly Check[];
  readonly home: string;
}

const reach = {
  'every-action': 'every action before it happens',
  asks: 'only what the agent asks about',
  nothing: 'nothing',
} as const;
const approvals = {
  policy: 'you are asked about what the guard does not allow',
  pause: 'you are asked about everything',
  'never-ask': 'NOBODY IS ASKED; only the never list applies',
} as const;

/** One screen before the first turn: who works, what the guard sees, what proves the end, what limits it, what is written where. */
export function preflightText(pre: Preflight, terminal: Pick<Terminal, 'paint' | 'env' | 'width'>): string {
  const { paint, env } = terminal;
  const { agent, config, checks } = pre;
  const room = terminal.width() - 16;
  const row = (name: string, ...values: readonly string[]): string[] =>
    values.map((value, i) => `  ${paint('dim', (i === 0 ? name : '').padEnd(11))} ${value}`);
  const tilde = (path: string): string => tildePath(path, env.HOME);
  const rows = [
    ...row('mission', paint('bold', oneLine(pre.mission, room))),
    ...row('workspace', tilde(pre.workspace)),
    ...row(
      'agent',
      [agent.name, agent.version, agent.door, agent.login].filter((s) => s !== undefined).join(' · '),
    ),
    ...row('sandbox', agent.sandbox ?? 'none'),
    ...row('guard sees', reach[agent.sees]),
    ...row('approvals', approvals[config.policy.approvals]),
    ...row(
      'checks',
      ...(checks.length === 0
        ? [paint('yellow', 'none found: you will be asked whether the work is done')]
        : checks.map((c) => `${c.command}  ${paint('dim', c.source)}`)),
    ),
    ...row('limits', limitWords(config.policy)),
    ...row('cycles', ...cycleLimits(config, agent)),
    ...row('answers', 'tireless inbox · approve · deny'),
    ...row('writes', `${tilde(pre.home)} (its records); in your workspace only the agent writes`),
    ...config.notices.flatMap((notice) => row('note', paint('yellow', `${notice.message} ${notice.fix}`))),
  ];
  return `\n${paint('bold', 'Tireless')} ${paint('dim', ownVersion())}\n\n${rows.join('\n')}\n`;
}

/** What is known of the end of a cycle; nothing to say in a run of one window. */
function cycleLimits({ mode, policy: { limits } }: Config, { usage }: AgentFacts): readonly string[] {
  if (mode === 'once') return [];
  const ends =
    usage === 'tokens' || usage === 'both'
      ? `${count(limits.cycleTokensMax)} tokens or a full context window each`
      : 'each until its context is full (this agent does not report tokens)';
  return [`up to ${limits.cyclesMax}, ${ends}`];
}

function limitWords({ limits }: Policy): string {
  const money = limits.moneyMax === undefined ? null : `$${limits.moneyMax}`;
  const tokens = limits.tokensMax === undefined ? null : `${count(limits.tokensMax)} tokens`;
  const unset = money === null && tokens === null ? 'no token or money limit' : null;
  const until = limits.until === undefined ? null : `until ${clockTime(limits.until)}`;
  return [`${limits.turnsMax} turns`, `${limits.activeHoursMax} h of work`, tokens, money, until, unset]
    .filter((s) => s !== null)
    .join(' · ');
}

/** Enter starts; anything else does not. */
export async function confirmStart({ io: { stdin, stdout } }: Terminal): Promise<boolean> {
  const reader = createInterface({ input: stdin, output: stdout });
  const gone = new Promise<string>((resolve) => {
    reader.once('SIGINT', () => resolve('no'));
    reader.once('close', () => resolve('no'));
  });
  const answer = await Promise.race([reader.question('Press Enter to start, Ctrl-C to cancel. '), gone]);
  reader.close();
  return answer.trim() === '' || /^y(es)?$/i.test(answer.trim());
}
