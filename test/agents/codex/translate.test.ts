import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/contract/index.ts';
import { recorded, replay, tell, told, withDispatches } from './replay.ts';

type Of<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;
const eventsOf = (name: string) => replay(withDispatches(recorded(name))).events;
const first = <T extends AgentEvent['type']>(name: string, type: T) =>
  eventsOf(name).find((event) => event.type === type) as Of<T>;

/** The ordinary turn that follows the telling one in most recordings of errors. */
const aPlainTurn = (turn: string, dispatch: string, tokens = 15) => [
  `turn-started ${turn} ${dispatch}`,
  `item-ended ${turn} message ok «done»`,
  `usage-reported ${tokens} of 95000`,
  `turn-ended ${turn} ${dispatch} completed «done»`,
];

describe('a turn of the real Codex', () => {
  it('starts with our dispatch, tells its message and its use, and ends', () => {
    expect(told('plain')).toEqual([
      'turn-started T1 dispatch-1',
      'item-ended T1 message ok «Hello from the scripted model. All good.»',
      'usage-reported 109 of 258400',
      'turn-ended T1 dispatch-1 completed «Hello from the scripted model. All good.»',
    ]);
  });

  it('shows deltas live and keeps the whole item as the body', () => {
    const { live, events, bodies } = replay(withDispatches(recorded('plain')));
    expect(live.map((frame) => frame.text).join('')).toBe('Hello from the scripted model. All good.');
    expect(live.every((frame) => frame.kind === 'message')).toBe(true);
    const body = bodies[events.findIndex((event) => event.type === 'item-ended')] ?? '';
    expect(JSON.parse(body)).toMatchObject({
      type: 'agentMessage',
      text: 'Hello from the scripted model. All good.',
    });
  });

  it('reports usage in parts', () => {
    expect(first('plain', 'usage-reported').usage).toEqual({
      totalTokens: 109,
      inputTokens: 100,
      cachedInputTokens: 20,
      outputTokens: 9,
    });
  });

  it('tells plan, edits and commands as they end, and the use after each answer of the model', () => {
    const place = '/SANDBOX/ws/d_plan_diff_usage';
    expect(told('plan-and-usage')).toEqual([
      'turn-started T1 dispatch-1',
      'plan-changed T1 0/2 one',
      'usage-reported 1050 of 95000',
      `item-ended T1 edit ok «add ${place}/new.txt»`,
      'usage-reported 2310 of 95000',
      `item-ended T1 edit ok «update ${place}/base.txt»`,
      'usage-reported 3670 of 95000',
      "item-ended T1 command ok exit=0 «/bin/bash -lc 'echo shellwrite > byshell.txt'»",
      'usage-reported 5090 of 95000',
      'plan-changed T1 2/2',
      'usage-reported 6640 of 95000',
      'item-ended T1 message ok «All done.»',
      'usage-reported 8270 of 95000',
      'turn-ended T1 dispatch-1 completed «All done.»',
      'turn-started T2 dispatch-2',
      `item-ended T2 edit ok «update ${place}/base.txt»`,
      'usage-reported 10030 of 95000',
      'item-ended T2 message ok «t2»',
      'usage-reported 11840 of 95000',
      'turn-ended T2 dispatch-2 completed «t2»',
    ]);
  });
});

describe('an approval', () => {
  const command = "/bin/bash -lc 'echo hi > out.txt; cat out.txt'";
  const asked = ['turn-started T1 dispatch-1', `approval-asked T1 command «${command}»`];

  it('that is given lets the command run', () => {
    expect(told('command-approved')).toEqual([
      ...asked,
      `item-ended T1 command ok exit=0 «${command}»`,
      'usage-reported 15 of 95000',
      'item-ended T1 message ok «after first»',
      'usage-reported 30 of 95000',
      'turn-ended T1 dispatch-1 completed «after first»',
    ]);
  });

  it('that is declined lets the turn go on without the command', () => {
    expect(told('command-declined')).toEqual([
      ...asked,
      `item-ended T1 command declined exit=null «${command}»`,
      'usage-reported 15 of 95000',
      'item-ended T1 message ok «after first»',
      'usage-reported 30 of 95000',
      'turn-ended T1 dispatch-1 completed «after first»',
    ]);
  });

  it('that is cancelled interrupts the turn', () => {
    expect(told('command-cancelled')).toEqual([
      ...asked,
      `item-ended T1 command declined exit=null «${command}»`,
      'usage-reported 15 of 95000',
      'turn-ended T1 dispatch-1 interrupted',
    ]);
  });

  it.each([
    ['patch-approved', 'c_patch_accept', 'ok'],
    ['patch-declined', 'c_patch_decline', 'declined'],
  ])('of a patch shows the whole change (%s)', (name, folder, outcome) => {
    const place = `/SANDBOX/ws/${folder}`;
    expect(told(name)).toEqual([
      'turn-started T1 dispatch-1',
      `approval-asked T1 edit «add ${place}/new.txt⏎hello⏎»`,
      `item-ended T1 edit ${outcome} «add ${place}/new.txt»`,
      'usage-reported 15 of 95000',
      `approval-asked T1 edit «update ${place}/base.txt⏎@@ -1 +1 @@⏎-base⏎+base2⏎»`,
      `item-ended T1 edit ${outcome} «update ${place}/base.txt»`,
      'usage-reported 30 of 95000',
      'item-ended T1 message ok «patched»',
      'usage-reported 45 of 95000',
      'turn-ended T1 dispatch-1 completed «patched»',
    ]);
  });

  it('names the folder, the files and a digest that only the action decides', () => {
    const edit = first('patch-approved', 'approval-asked').action;
    expect(edit).toMatchObject({
      cwd: '/SANDBOX/ws/c_patch_accept',
      paths: ['/SANDBOX/ws/c_patch_accept/new.txt'],
    });
    const { action } = first('command-approved', 'approval-asked');
    expect(action.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(action.cwd).toBe('/SANDBOX/ws/b_untrusted_accept');
    const again = replay(
      recorded('command-approved').map((frame) =>
        JSON.parse(
          JSON.stringify(frame).replaceAll('01a1de00', '02b2ef11').replaceAll('"call_1"', '"call_9"'),
        ),
      ),
    ).events.find((event) => event.type === 'approval-asked') as Of<'approval-asked'>;
    expect(again.action.digest).toBe(action.digest);
    expect(first('command-declined', 'approval-asked').action.digest).not.toBe(action.digest);
  });
});

describe('a question', () => {
  it('is asked with its options', () => {
    expect(told('question')).toEqual([
      'turn-started T1 dispatch-1',
      'input-asked T1 «Confirm: Proceed with the plan?» Yes (Recommended)|No',
      'usage-reported 15 of 95000',
      'item-ended T1 message ok «x»',
      'usage-reported 30 of 95000',
      'turn-ended T1 dispatch-1 completed «x»',
    ]);
  });

  it('that nobody answered is withdrawn when the server says so', () => {
    const unanswered = recorded('question').filter(({ dir, msg }) => dir === '<' || msg.method !== undefined);
    expect(tell(replay(withDispatches(unanswered))).slice(1, 3)).toEqual([
      'input-asked T1 «Confirm: Proceed with the plan?» Yes (Recommended)|No',
      'request-withdrawn',
    ]);
  });
});

describe('an interrupted turn', () => {
  it('ends without the items it left open', () => {
    expect(told('interrupt-stream')).toEqual([
      'turn-started T1 dispatch-1',
      'turn-ended T1 dispatch-1 interrupted',
      ...aPlainTurn('T2', 'dispatch-2'),
    ]);
    expect(told('interrupt-command')).toEqual([
      'turn-started T1 dispatch-1',
      'usage-reported 15 of 95000',
      'turn-ended T1 dispatch-1 interrupted',
    ]);
  });

  it('still tells a command that ends after it', () => {
    const frames = withDispatches(recorded('interrupt-command'));
    const begun = frames.find(({ msg }) => JSON.stringify(msg).includes('"commandExecution"'));
    const params = begun?.msg.params as { item: object };
    const late = { ...params, item: { ...params.item, status: 'completed', exitCode: 0 } };
    const frame = { dir: '<', msg: { method: 'item/completed', params: late } } as const;
    expect(tell(replay([...frames, frame])).at(-1)).toBe(
      "item-ended T1 command ok exit=0 «/bin/bash -lc 'echo started; sleep 30; echo end'»",
    );
  });
});

describe('an error', () => {
  it.each([
    ['error-400', 'other'],
    ['error-429', 'rate-limited'],
    ['error-rate', 'rate-limited'],
    ['error-500', 'server-error'],
    ['error-usage-limit', 'usage-limit'],
  ])('fails the turn and not the next one (%s: %s)', (name, kind) => {
    expect(told(name)).toEqual([
      'turn-started T1 dispatch-1',
      `error-seen T1 ${kind} final`,
      `turn-ended T1 dispatch-1 failed ${kind}`,
      ...aPlainTurn('T2', 'dispatch-2'),
    ]);
  });

  it('of a stream that breaks again and again is told with each retry', () => {
    expect(told('error-cut')).toEqual([
      'turn-started T1 dispatch-1',
      'error-seen T1 stream-cut retries',
      'error-seen T1 stream-cut retries',
      'error-seen T1 stream-cut final',
      'turn-ended T1 dispatch-1 failed stream-cut',
      ...aPlainTurn('T2', 'dispatch-2'),
    ]);
  });

  it('of a host that cannot be reached is called unreachable from the first retry on', () => {
    expect(told('error-unreachable')).toEqual([
      'turn-started T1 dispatch-1',
      'error-seen T1 unreachable retries',
      'error-seen T1 unreachable retries',
      'error-seen T1 unreachable final',
      'turn-ended T1 dispatch-1 failed unreachable',
    ]);
  });

  it('of a full context does not bill the window Codex adds to its total', () => {
    expect(told('error-context')).toEqual([
      'turn-started T1 dispatch-1',
      'error-seen T1 context-full final',
      'turn-ended T1 dispatch-1 failed context-full',
      'turn-started T2 dispatch-2',
      'usage-reported 15 of 95000',
      'usage-reported 15 of 95000',
      'compaction-seen T2',
      'item-ended T2 message ok «done»',
      'usage-reported 30 of 95000',
      'turn-ended T2 dispatch-2 completed «done»',
    ]);
  });

  it('of a used-up plan says when it resets, which Codex tells only in its message', () => {
    const ended = first('error-usage-limit', 'turn-ended');
    expect(ended.failure?.resetAt).toBe(new Date(2030, 2, 17, 17, 46).getTime());
    expect(ended.failure?.raw).toBe('"usageLimitExceeded"');
  });

  it('keeps the message of the provider', () => {
    expect(first('error-400', 'turn-ended').failure?.message).toContain('bad request body');
  });
});

describe('the account', () => {
  it('whose window is used up is told once, with its reset, and not again when it is free', () => {
    expect(told('limit-reached')).toEqual([
      'turn-started T1 dispatch-1',
      'item-ended T1 message ok «nearly»',
      'usage-reported 15 of 95000',
      'limit-seen 1900000000000 «usage limit is used up»',
      'turn-ended T1 dispatch-1 completed «nearly»',
      'turn-started T2 dispatch-2',
      'item-ended T2 message ok «free again»',
      'usage-reported 30 of 95000',
      'turn-ended T2 dispatch-2 completed «free again»',
    ]);
  });
});
