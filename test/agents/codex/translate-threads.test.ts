import { describe, expect, it } from 'vitest';
import { startState } from '../../../src/edge/agents/codex/state.ts';
import { noteSent, translate } from '../../../src/edge/agents/codex/translate.ts';
import { type Recorded, recorded, replay, tell, told } from './replay.ts';

const server = (method: string, params: object, id?: number): Recorded => ({
  dir: '<',
  msg: id === undefined ? { method, params } : { id, method, params },
});
const place = { threadId: 'thread', turnId: 'turn' };
const hearing = (...frames: Recorded[]) => replay(frames, 'thread');

describe('a thread', () => {
  it('is compacted inside a turn, and repeated use is told once', () => {
    expect(told('compaction')).toEqual([
      'turn-started T1 dispatch-1',
      'item-ended T1 message ok «first answer»',
      'usage-reported 5100 of 95000',
      'turn-ended T1 dispatch-1 completed «first answer»',
      'turn-started T2 dispatch-2',
      'usage-reported 10250 of 95000',
      // Nothing more was used, and the window is emptier.
      'usage-reported 10250 of 95000',
      'compaction-seen T2',
      'item-ended T2 message ok «second answer»',
      'usage-reported 10570 of 95000',
      'turn-ended T2 dispatch-2 completed «second answer»',
    ]);
  });

  it('tells how much of the window is filled, also when a compaction empties it', () => {
    const filled = replay(recorded('compaction')).events.flatMap((event) =>
      event.type === 'usage-reported' ? [event.contextTokens] : [],
    );
    expect(filled).toEqual([5_100, 5_150, 1_435, 320]);
  });

  it('that pursues a goal of its own starts foreign turns', () => {
    expect(told('goal')).toEqual([
      'turn-started T1 dispatch-1',
      'item-ended T1 message ok «progress 1»',
      'usage-reported 1050 of 95000',
      'turn-ended T1 dispatch-1 completed «progress 1»',
      'turn-started T2 foreign',
      'item-ended T2 message ok «progress 2»',
      'usage-reported 2100 of 95000',
      'item-ended T2 message ok «progress 3»',
      'usage-reported 3150 of 95000',
      'turn-ended T2 foreign completed «progress 3»',
      'turn-started T3 foreign',
      'usage-reported 4200 of 95000',
      'item-ended T3 message ok «goal finished»',
      'usage-reported 5250 of 95000',
      'turn-ended T3 foreign completed «goal finished»',
    ]);
  });

  it('is reviewed in one turn, though Codex gives that turn two ids', () => {
    const finding =
      'One bug found.⏎⏎Review comment:⏎⏎- [P1] Off by one — /var/x/base.txt:1-1⏎  Loop bound is wrong.';
    expect(told('review')).toEqual([
      'turn-started T1 dispatch-1',
      'item-ended T1 message ok «done»',
      'usage-reported 15 of 95000',
      'turn-ended T1 dispatch-1 completed «done»',
      'turn-started T2 foreign',
      "item-ended T2 command ok exit=0 «/bin/bash -lc 'git diff'»",
      `item-ended T2 other ok «review: ${finding}»`,
      `item-ended T2 message ok «${finding}»`,
      `turn-ended T2 foreign completed «${finding}»`,
      'turn-started T3 dispatch-2',
      'item-ended T3 message ok «done»',
      'usage-reported 30 of 95000',
      'turn-ended T3 dispatch-2 completed «done»',
      'turn-started T4 foreign',
    ]);
  });

  it('that runs a review is interrupted by the id its turn started with', () => {
    const { active } = replay(recorded('review')).state;
    const refused = recorded('review').at(-1)?.msg.error as { message: string };
    expect(refused.message).toContain(`but found ${active?.native}`);
    expect(active?.turn).not.toBe(active?.native);
  });

  it('beside others keeps its own events and bills theirs under their own names', () => {
    const lines = told('threads');
    const own = lines.filter((line) => !/ S\d /.test(line));
    expect(own).toEqual([
      'turn-started T1 dispatch-1',
      "item-ended T1 command ok exit=0 «/bin/bash -lc 'echo thread 0; sleep 0.0'»",
      'usage-reported 15 of 95000',
      'item-ended T1 message ok «answer for thread 0   »',
      'usage-reported 30 of 95000',
      'turn-ended T1 dispatch-1 completed «answer for thread 0   »',
    ]);
    const others = lines.filter((line) => / S\d /.test(line));
    expect(others.toSorted()).toEqual(
      [2, 3, 4, 5, 6, 7, 8].flatMap((n) => [
        `usage-reported S${n} 15 of 95000`,
        `usage-reported S${n} 30 of 95000`,
      ]),
    );
  });

  it('whose sub-agent wants to edit asks in its own name', () => {
    expect(told('sub-agent')).toEqual([
      'turn-started T1 dispatch-1',
      'item-ended T1 tool ok «spawnAgent do the small part»',
      'usage-reported 110 of 95000',
      'approval-asked T1 edit «add /SANDBOX/workspace/small.txt⏎part⏎»',
      'usage-reported S2 7070 of 95000',
      'usage-reported S2 15150 of 95000',
      'item-ended T1 tool ok «wait»',
      'usage-reported 320 of 95000',
      'item-ended T1 message ok «all done»',
      'usage-reported 630 of 95000',
      'turn-ended T1 dispatch-1 completed «all done»',
    ]);
  });

  it('that was killed in an approval leaves it open, and resumes with its use', () => {
    expect(told('killed')).toEqual([
      'turn-started T1 dispatch-1',
      'plan-changed T1 0/1 one',
      'usage-reported 810 of 95000',
      'item-ended T1 message ok «turn one done»',
      'usage-reported 1860 of 95000',
      'turn-ended T1 dispatch-1 completed «turn one done»',
      'turn-started T2 dispatch-2',
      "approval-asked T2 command «/bin/bash -lc 'touch killed.txt'»",
    ]);
    expect(told('resumed')).toEqual([
      'usage-reported 1860 of 95000',
      'turn-started T1 dispatch-2',
      "approval-asked T1 command «/bin/bash -lc 'touch after.txt'»",
      "item-ended T1 command ok exit=0 «/bin/bash -lc 'touch after.txt'»",
      'usage-reported 1875 of 95000',
      'item-ended T1 message ok «resumed fine»',
      'usage-reported 3395 of 95000',
      'turn-ended T1 dispatch-2 completed «resumed fine»',
      'usage-reported S2 3395 of 95000',
    ]);
  });

  it('names a request anew in every process, though its ids start at 0 again', () => {
    const request = (name: string) =>
      replay(recorded(name)).events.flatMap((event) =>
        event.type === 'approval-asked' ? [event.request] : [],
      );
    expect(request('killed')).not.toEqual(request('resumed'));
  });

  it('that is steered shows what a person said and not what we said', () => {
    expect(told('steer')).toEqual([
      'turn-started T1 dispatch-1',
      'item-ended T1 person ok «second start while active»',
      'item-ended T1 message ok «third sample»',
      'usage-reported 15 of 95000',
      'turn-ended T1 dispatch-1 completed «third sample»',
    ]);
  });

  it('that is given more freedom than it was opened with says so', () => {
    const settings = (approvalPolicy: string, type: string) =>
      server('thread/settings/updated', {
        threadId: 'thread',
        threadSettings: { approvalPolicy, sandboxPolicy: { type } },
      });
    const opened: Recorded[] = [
      { dir: '>', msg: { id: 1, method: 'thread/start', params: {} } },
      {
        dir: '<',
        msg: {
          id: 1,
          result: {
            thread: { id: 'thread' },
            approvalPolicy: 'untrusted',
            sandbox: { type: 'workspaceWrite' },
          },
        },
      },
    ];
    const told = tell(replay([...opened, settings('untrusted', 'readOnly'), settings('never', 'readOnly')]));
    expect(told).toEqual(['mode-raised approvals never, sandbox readOnly']);
  });
});

describe('the status tool', () => {
  const call = (args: unknown, threadId = 'thread') =>
    server('item/tool/call', { ...place, threadId, callId: 'c', tool: 'report_status', arguments: args }, 7);

  it('reports what the agent claims and is answered at once', () => {
    expect(told('status-reported')).toEqual([
      'turn-started T1 dispatch-1',
      'status-reported T1 done «npm test passes»',
      'item-ended T1 tool ok «report_status {"status":"done","evidence":"npm test passes"}»',
      'usage-reported 15 of 95000',
      'item-ended T1 message ok «reported»',
      'usage-reported 30 of 95000',
      'turn-ended T1 dispatch-1 completed «reported»',
    ]);
    expect(hearing(call({ status: 'blocked', evidence: 'no key' })).replies).toEqual([
      { id: 7, result: { contentItems: [{ type: 'inputText', text: 'Recorded: blocked.' }], success: true } },
    ]);
  });

  it('claims nothing when its arguments are wrong', () => {
    expect(told('dynamic-tool').filter((line) => line.startsWith('status'))).toEqual([]);
    const { replies, events } = hearing(call({ status: 'finished', evidence: 'x' }));
    expect(events).toEqual([]);
    expect(replies).toMatchObject([{ id: 7, result: { success: false } }]);
  });

  it('claims nothing when a sub-agent calls it', () => {
    const { replies, events } = hearing(call({ status: 'done', evidence: 'x' }, 'child'));
    expect(events).toEqual([]);
    expect(replies).toMatchObject([{ id: 7, result: { success: false } }]);
  });
});

describe('what cannot be read', () => {
  it.each([
    ['a request of an unknown kind', server('item/new/requestApproval', place, 3)],
    [
      'an approval without a command',
      server('item/commandExecution/requestApproval', { ...place, itemId: 'i' }, 3),
    ],
    [
      'an approval of a change we were not shown',
      server('item/fileChange/requestApproval', { ...place, itemId: 'i' }, 3),
    ],
    [
      'an approval in another shape',
      server('item/permissions/requestApproval', { ...place, permissions: 'all' }, 3),
    ],
  ])('%s is refused and told', (_name, frame) => {
    const { replies, events, state } = hearing(frame);
    expect(replies).toMatchObject([{ id: 3, error: { code: -32_601 } }]);
    expect(events.map((event) => event.type)).toEqual(['unreadable']);
    expect(state.requests).toEqual({});
  });

  it('an approval of a change that shows nothing is refused', () => {
    const empty = server('item/started', { ...place, item: { type: 'fileChange', id: 'i', changes: [] } });
    const { replies } = hearing(
      empty,
      server('item/fileChange/requestApproval', { ...place, itemId: 'i' }, 3),
    );
    expect(replies).toMatchObject([{ id: 3, error: { code: -32_601 } }]);
  });

  it('is counted, and an unknown notification is told only the first time', () => {
    const { events, state } = hearing(
      server('thread/dreamed', {}),
      server('thread/dreamed', {}),
      server('turn/diff/updated', {}),
    );
    expect(events.map((event) => event.type)).toEqual(['unreadable']);
    expect(state.unknown).toEqual({ 'notification thread/dreamed': 2 });
  });

  it('an item of a new kind is an item all the same', () => {
    const { events } = hearing(server('item/completed', { ...place, item: { type: 'telepathy', id: 'i' } }));
    expect(events).toMatchObject([
      { type: 'item-ended', kind: 'other', outcome: 'unknown', label: 'telepathy' },
    ]);
  });

  it('a turn that ended in an unknown way has not succeeded', () => {
    const { events } = hearing(
      server('turn/completed', { threadId: 'thread', turn: { id: 'turn', status: 'dissolved' } }),
    );
    expect(events).toMatchObject([{ type: 'turn-ended', status: 'failed', failure: { kind: 'other' } }]);
  });

  it.each([null, 7, 'text', [], {}, { id: null }, { method: 3 }])('%j is told as unreadable', (frame) => {
    expect(translate(startState('thread'), frame).events.map(({ event }) => event.type)).toEqual([
      'unreadable',
    ]);
    expect(noteSent(startState('thread'), frame)).toEqual(startState('thread'));
  });
});

describe('an approval with more behind it', () => {
  const asked = (params: object) =>
    hearing(server('item/commandExecution/requestApproval', { ...place, itemId: 'i', ...params }, 0)).events;

  it('for a host is about the network', () => {
    const events = asked({
      command: 'curl x',
      networkApprovalContext: { host: 'example.org', protocol: 'https' },
    });
    expect(events).toMatchObject([
      { action: { kind: 'network', rendered: { text: 'https://example.org\ncurl x' } } },
    ]);
  });

  it('for a program that already runs is no command', () => {
    const events = asked({ kind: 'writeStdin', command: 'import os' });
    expect(events).toMatchObject([{ action: { kind: 'tool', tool: 'writeStdin' } }]);
  });

  it('has another digest when Codex gives another reason', () => {
    const digests = [{}, { reason: 'retry without sandbox?' }].map((more) => {
      const [event] = asked({ command: 'ls', cwd: '/w', ...more });
      return event?.type === 'approval-asked' ? event.action.digest : '';
    });
    expect(new Set(digests).size).toBe(2);
  });

  it('lists the files outside the folder first, so that none is cut off', () => {
    const changes = [
      ...Array.from({ length: 300 }, (_, n) => ({ path: `/w/${n}` })),
      { path: '/etc/passwd' },
    ];
    const { events } = replay(
      [
        { dir: '>', msg: { id: 1, method: 'thread/start', params: {} } },
        { dir: '<', msg: { id: 1, result: { thread: { id: 'thread' }, cwd: '/w' } } },
        server('item/started', { ...place, item: { type: 'fileChange', id: 'i', changes } }),
        server('item/fileChange/requestApproval', { ...place, itemId: 'i' }, 0),
      ],
      null,
    );
    expect(events).toMatchObject([{ action: { paths: expect.arrayContaining(['/etc/passwd']) } }]);
  });
});

describe('what the server repeats', () => {
  it('as a plan is told when it changes', () => {
    const plan = (status: string) =>
      server('turn/plan/updated', { ...place, plan: [{ step: 'one', status }] });
    expect(tell(hearing(plan('pending'), plan('pending'), plan('completed')))).toEqual([
      'plan-changed T1 0/1',
      'plan-changed T1 1/1',
    ]);
  });

  it('as a limit is told when it changes, and a sparse update neither lifts nor renews it', () => {
    const limits = (rateLimits: object) => server('account/rateLimits/updated', { rateLimits });
    const used = (usedPercent: number, rateLimitReachedType: string | null = null) =>
      limits({ primary: { usedPercent, resetsAt: 1_900_000_000 }, secondary: null, rateLimitReachedType });
    const sparse = limits({ primary: null, secondary: null, rateLimitReachedType: null });
    const reached = 'rate_limit_reached';
    expect(tell(hearing(used(100, reached), used(100, reached), sparse, used(3), sparse, used(100)))).toEqual(
      ['limit-seen 1900000000000 «rate_limit_reached»', 'limit-seen 1900000000000 «usage limit is used up»'],
    );
  });
});
