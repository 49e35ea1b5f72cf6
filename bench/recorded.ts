/** A long run made of what real Codex was recorded to say, turn after turn. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type AgentEvent,
  type Effect,
  type Entry,
  type Event,
  type Outcome,
  policySchema,
  type StampedEvent,
} from '../src/contract/index.ts';
import { effectsOf, policyVersion, type Run, step } from '../src/core/index.ts';
import { startState } from '../src/edge/agents/codex/state.ts';
import { noteSent, translate } from '../src/edge/agents/codex/translate.ts';

const recordings = resolve(import.meta.dirname, '../test/recordings/codex');
const session = 's1';

/** What the agent said in each turn of a recording, from `turn-started` to `turn-ended`. */
function recordedTurns(name: string): readonly (readonly AgentEvent[])[] {
  const turns: AgentEvent[][] = [];
  let state = startState();
  let current: AgentEvent[] | null = null;
  for (const line of readFileSync(resolve(recordings, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')) {
    const { dir, msg } = JSON.parse(line) as { dir: string; msg: unknown };
    if (dir === '>') {
      state = noteSent(state, msg);
      continue;
    }
    const stamped = translate(state, msg);
    state = stamped.state;
    for (const { event } of stamped.events) {
      if (event.type === 'turn-started') current = [];
      current?.push(event);
      if (event.type === 'turn-ended' && current !== null) {
        turns.push(current);
        current = null;
      }
    }
  }
  return turns;
}

/** The events of a run of at least `count` entries, with everything the run loop adds around the agent's events. */
export function recordedRun(
  id: string,
  count: number,
): { stamped: readonly StampedEvent[]; entries: readonly Entry[] } {
  const turns = ['plan-and-usage', 'command-approved', 'plain'].flatMap(recordedTurns);
  const stamped: StampedEvent[] = [];
  const entries: Entry[] = [];
  let run: Run | null = null;
  let mono = 1_000;
  let tokens = 0;
  const onEvent = (event: Event): readonly { id: string; effect: Effect }[] => {
    mono += 400;
    const one: StampedEvent = { at: 1_800_000_000_000 + mono, mono, event };
    const stepped = step(run, one, id);
    run = stepped.run;
    stamped.push(one);
    entries.push(stepped.entry);
    return effectsOf(stepped.entry).filter(({ effect }) => effect.type in outcomes);
  };
  onEvent(created);
  const todo = [...onEvent({ type: 'keeper-started', epoch: 1, pid: 1, host: 'here', version: '0.0.0' })];
  for (let n = 0; entries.length < count; ) {
    const under = todo.shift();
    if (under === undefined) throw new Error('the recorded run has come to rest');
    const turn = `t${n}`;
    todo.push(...hearOutcome(under.id, under.effect, turn, mono, onEvent));
    if (under.effect.type !== 'turn-start') continue;
    for (const event of turns[n % turns.length] ?? []) {
      tokens += 900;
      todo.push(...onEvent(inThisRun(event, turn, tokens)));
      // What the agent waits for is answered before it goes on.
      while (todo[0]?.effect.type === 'gate-open' || todo[0]?.effect.type === 'request-answer') {
        const asked = todo.shift();
        if (asked !== undefined) todo.push(...hearOutcome(asked.id, asked.effect, turn, mono, onEvent));
      }
    }
    n += 1;
  }
  return { stamped, entries };
}

const outcomes: { readonly [T in Effect['type']]?: (turn: string, n: number) => Outcome } = {
  'session-open': () => ({ of: 'session-open', session }),
  'slot-request': () => ({ of: 'slot-request' }),
  'turn-start': (turn) => ({ of: 'turn-start', turn }),
  'request-answer': () => ({ of: 'request-answer', ok: true }),
  'gate-open': () => ({ of: 'gate-open', ok: true }),
  'tree-read': (_turn, n) => ({
    of: 'tree-read',
    tree: { tree: [...n.toString(16).padStart(40, '0')].reverse().join(''), head: null },
  }),
};

function hearOutcome(
  effect: string,
  { type, ...rest }: Effect,
  turn: string,
  n: number,
  onEvent: (event: Event) => readonly { id: string; effect: Effect }[],
): readonly { id: string; effect: Effect }[] {
  const outcome = outcomes[type]?.(turn, n);
  if (outcome === undefined) return [];
  const next = onEvent({ type: 'effect-ended', effect, outcome });
  if (type !== 'gate-open' || !('gate' in rest)) return next;
  return [
    ...next,
    ...onEvent({ type: 'gate-answered', gate: String(rest.gate), answer: 'approve', by: 'bench' }),
  ];
}

/** The same words, said about this run's session and turn, with a counter that goes on. */
function inThisRun(event: AgentEvent, turn: string, totalTokens: number): Event {
  if (event.type === 'usage-reported') return { ...event, session, usage: { ...event.usage, totalTokens } };
  const said = { ...event, session, ...('turn' in event ? { turn } : {}) } as Event;
  return 'request' in said ? ({ ...said, request: `${turn}-${said.request}` } as Event) : said;
}

const created: Event = {
  type: 'run-created',
  mission: { text: 'make it work' },
  workspace: '/work',
  policyVersion,
  policy: policySchema.parse({ limits: { turnsMax: 1_000_000, activeHoursMax: 1_000_000 } }),
  configDigest: '0'.repeat(64),
  checks: [],
  mode: 'once',
  setup: {},
  by: 'bench',
  site: { home: '/home/person', tirelessHome: '/home/person/.local/state/tireless' },
  agent: {
    name: 'codex',
    door: 'app-server',
    sees: 'every-action',
    usage: 'tokens',
    finds: true,
    steers: true,
    resumes: true,
  },
};
