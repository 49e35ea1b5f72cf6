/** The places that are broken by hand: recovery, the run loop, lease, fencing and chain. */
import type { Mutant } from './mutant-list.ts';

type Place = readonly [name: string, find: string, replace: string];

const at = (
  group: string,
  file: string,
  suites: readonly string[],
  places: readonly Place[],
): readonly Mutant[] =>
  places.map(([name, find, replace]) => ({ group, name, file, find, replace, suites, lastSuites: [] }));

const recovery = ['scenarios/recovery', 'scenarios/halts', 'scenarios/cycles-halts', 'scenarios/simulation'];
const cycles = ['scenarios/cycles', 'scenarios/cycles-halts'];
const sessions = [
  ...['scenarios/sessions', 'scenarios/background', 'scenarios/subagents', 'scenarios/reach'],
  'scenarios/recovery',
];
const stories = ['scenarios/turns', 'scenarios/gates', 'scenarios/halts', 'scenarios/steering'];

const recoveryKinds: readonly (readonly [string, string, string])[] = [
  ["'session-open'", 'repeat', 'abandon'],
  ["'session-close'", 'abandon', 'repeat'],
  ["'slot-request'", 'repeat', 'abandon'],
  ["'turn-start'", 'reconcile', 'repeat'],
  ["'turn-find'", 'repeat', 'abandon'],
  ["'turn-interrupt'", 'abandon', 'repeat'],
  ["'turn-steer'", 'reconcile', 'repeat'],
  ["'request-answer'", 'reconcile', 'repeat'],
  ["'gate-open'", 'repeat', 'abandon'],
  ["'tree-read'", 'repeat', 'abandon'],
  ["'checks-run'", 'repeat', 'abandon'],
  ["'advice-ask'", 'repeat', 'abandon'],
  ['summarise', 'repeat', 'abandon'],
  ['notify', 'repeat', 'abandon'],
];

export const recoveryMutants: readonly Mutant[] = [
  ...at(
    'recovery',
    'src/core/fold/recovery.ts',
    recovery,
    recoveryKinds.map(([type, is, becomes]) => [
      `${type.replaceAll("'", '')} is ${becomes}`,
      `  ${type}: '${is}',`,
      `  ${type}: '${becomes}',`,
    ]),
  ),
  ...at('recovery', 'src/core/fold/recovery.ts', recovery, [
    ['a turn on its way is not in doubt', "phase: 'doubt',", "phase: 'sent',"],
    ['nobody asks what became of a turn', 'find: run.turn !== null || run.steering !== null', 'find: false'],
    [
      'an approval on its way is lost',
      'return pending.reduce(unheardApproval, withTasksWaiting(left));',
      'return withTasksWaiting(left);',
    ],
    ['timers of the dead process stay', "timer.clock === 'wall'", 'true'],
    ['the old session counts as open', 'open: false, detached', 'detached'],
    ['an answered gate opens again', '(gate) => gate.id === effect.gate', '() => true'],
  ]),
  ...at('recovery', 'src/core/fold/outcomes.ts', recovery, [
    ['unknown is sent again blind', 'return untraceable(done, null);', 'return sentAgain(done, inDoubt);'],
    ['absent is given up', ': sentAgain(done, inDoubt);', ': untraceable(done, null);'],
    ['an adopted turn is sent again', 'inDoubt.adopted ?', 'inDoubt === null ?'],
    ['a halted turn is sent again', 'if (stop || off || pause ||', 'if ('],
    ['absent is sent into a foreign turn', ' || run.foreign !== null)', ')'],
  ]),
  ...at('sessions', 'src/core/fold/sessions.ts', sessions, [
    ['another session may be asked', 'found.agent.finds === true && isSame', 'found.agent.finds === true'],
    ['a late event under a former id is lost', 'return { ...event, session: session.id };', 'return event;'],
    ['a former id changes the session', "|| event.type === 'session-changed'", ''],
    ['what an old id used is billed to the new', "event.type === 'usage-reported' || ", ''],
    ['an open question keeps the former id', 'gates: run.gates.map(renamed),', ''],
    ['checks beside background work count', 'isVoid || run.proofVoid', 'run.proofVoid'],
    [
      'a renewed session counts as open',
      '{ ...run.session, id: session, former: [], stale: false }',
      '{ ...run.session, open: true, id: session, former: [], stale: false }',
    ],
    ['what opening did not tell is forgotten', 'value !== undefined', 'true'],
  ]),
  ...at('sessions', 'src/core/decide/outages.ts', sessions, [
    [
      'a higher reach is asked about',
      'depth[proven] >= depth[agent.sees]',
      'depth[proven] > depth[agent.sees]',
    ],
    ['a denied reach is asked about again', "if (reachDenied) return pause(because, 'reach', 'person');", ''],
    ["the person's words wait for background work", "part === 'steer'", "part === 'nudge'"],
  ]),
  ...at('sessions', 'src/core/fold/end-turn.ts', sessions, [
    ['an adopted turn swallows what waits to be said', 'turn.adopted ? run.carry : back.carry', 'back.carry'],
  ]),
  ...at('recovery', 'src/core/react/react.ts', recovery, [
    [
      'absent is sent with a new id',
      'dispatched(run, turn.session, turn.dispatch, turn.input)',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is source text
      'dispatched(run, turn.session, `${turn.dispatch}+`, turn.input)',
    ],
    ['a paused run opens an agent', "run.awaiting.find && run.state !== 'paused'", 'run.awaiting.find'],
  ]),
];

export const cycleMutants: readonly Mutant[] = [
  ...at('cycle', 'src/core/cycle/cycle.ts', cycles, [
    ['a run of one window has cycles', "if (run.mode !== 'autonomous') return null;", ''],
    ['a full turn is not halted', "? interrupted(next, 'cycle')", '? next'],
    ['the wrap-up is told again and again', '  !run.cycle.wrapUp &&\n', ''],
    ['the window of an old session counts', 'context.session !== session?.id', 'false'],
    ['a refused turn closes the cycle', '!isUnseen && !costsNoTurn(failure?.kind)', '!isUnseen'],
    ['an unseen turn closes the cycle', 'isTold && !isUnseen &&', 'isTold &&'],
    ['unknown files count as unchanged', "tree.tree !== 'unknown'", 'true'],
    ['a refused wrap-up is lost', '({ ...cycle, wrapUp: false })', '({ ...cycle })'],
  ]),
  ...at('cycle', 'src/core/fold/settle.ts', cycles, [
    ['the old session is gone back to', '      session: renewed(run),\n', ''],
    [
      'tokens of earlier cycles count',
      'decision.cycle, run.seq, run.usage.tokens',
      'decision.cycle, run.seq, 0',
    ],
  ]),
  ...at('cycle', 'src/core/fold/unsent.ts', cycles, [
    ['a lost first input is not said again', "  'cycle',\n", ''],
    ['a lost wrap-up is not said again', "  'wrap-up',\n", ''],
  ]),
  ...at('cycle', 'src/core/decide/cycles.ts', cycles, [
    ['a session is closed under a foreign turn', 'run.foreign === null\n', 'true\n'],
    ['a cycle is summarised twice', "isUnderWay(run, 'summarise') ? [] :", ''],
  ]),
  ...at('cycle', 'src/core/decide/person.ts', cycles, [
    ['words of the person go into a used-up session', 'if (cycleOver(run) !== null) return false;', ''],
  ]),
  ...at('cycle', 'src/core/fold/to-deciding.ts', cycles, [
    ['a stop waits for the summary', "  'summarise',\n", ''],
  ]),
];

export const runLoopMutants: readonly Mutant[] = [
  ...at('run-loop', 'src/core/fold/outcomes.ts', stories, [
    [
      'an acknowledged turn is sent again',
      "turn: { ...turn, phase: 'started', turn: id }",
      'turn: { ...turn, turn: id }',
    ],
    ['refused steering is tried for ever', 'steerRefused: true', 'steerRefused: false'],
    ['an old acknowledgement counts', 'turn === null || turn.dispatch !== dispatch', 'turn === null'],
  ]),
  ...at('run-loop', 'src/core/approvals/answer.ts', stories, [
    ['an answer fits any action', 'event.digest !== gate.digest', 'false'],
  ]),
  ...at('run-loop', 'src/core/approvals/gates.ts', stories, [
    [
      'an old request is alive',
      '(gate.turn == null || run.foreign === gate.turn || run.turn?.turn === gate.turn)',
      'run.turn !== null',
    ],
    ['a stop does not end a turn that asks', 'run.asked.stop || run.asked.off ?', 'run.asked.off ?'],
  ]),
  ...at('run-loop', 'src/core/react/launch.ts', stories, [
    ['a turn starts into a foreign one', '  foreign === null &&\n', ''],
    [
      'a second agent is opened',
      " || isUnderWay(run, 'session-open') || isUnderWay(run, 'session-close')",
      '',
    ],
  ]),
  ...at('run-loop', 'src/core/fold/people.ts', stories, [
    [
      'resume revives what was stopped',
      'asked: { ...run.asked, pause: false }',
      'asked: { stop: false, off: false, pause: false }',
    ],
  ]),
  ...at('run-loop', 'src/core/fold/unsent.ts', stories, [
    ['words of an unsent input are lost', "  'steer',\n", ''],
  ]),
  ...at(
    'run-loop',
    'src/app/run-loop.ts',
    ['scenarios/run-loop'],
    [['acts before it is written', '  await appendPatiently(', '  void appendPatiently(']],
  ),
  ...at(
    'run-loop',
    'src/app/supervise.ts',
    ['scenarios/run-loop'],
    [
      ['a message is heard twice', '.filter((row) => !seen.has(row.id))', ''],
      ['overdue timers are not heard', '[...overdue(loop), ...(await unheard())]', 'await unheard()'],
      ['nothing bounds the drain', 'Promise.race([ending, draining])', 'ending'],
    ],
  ),
  ...at(
    'lease',
    'src/app/leases.ts',
    ['scenarios/run-loop'],
    [
      ['a lost lease goes unnoticed', 'return isKept ? lost() : undefined;', 'return;'],
      [
        'a run that is held is worked all the same',
        "if ('got' in answer) return answer.got;",
        "if ('got' in answer) return answer.got;\n  if ('heldBy' in answer) return { key: '', epoch: 1, holder: answer.heldBy };",
      ],
    ],
  ),
];

/** What only a keeper does: look at the ledger, end what is left running, and ring in time. */
export const keeperMutants: readonly Mutant[] = [
  ...at(
    'keeper',
    'src/app/keeper.ts',
    ['store/damage'],
    [['a damaged ledger is worked', '    await assertWhole(store, run);\n', '']],
  ),
  ...at(
    'keeper',
    'src/app/orphans.ts',
    ['scenarios/orphans'],
    [
      [
        'orphans of other runs are left',
        'for (const { id } of here)',
        'for (const { id } of here.filter((view) => view.id === run))',
      ],
      ['orphans of other workspaces are ended', 'view.workspace === workspace.path && ', ''],
      ['a process of another machine is ended', 'if (child.host === holder.host) ', ''],
    ],
  ),
  ...at(
    'keeper',
    'src/edge/clock.ts',
    ['ingest/clock'],
    [
      [
        'wall timers ring only at the 60 s look',
        'dueAt - clock.at(), clock.after, fire',
        'dueAt - clock.at(), (_ms, wake) => clock.after(waitMsMax, wake), fire',
      ],
    ],
  ),
];

const conformance = ['store/conformance'];

export const storeMutants: readonly Mutant[] = [
  ...at('lease', 'src/edge/store/lease.ts', conformance, [
    [
      'SQLite grants a lease that is held',
      'if (row?.holder && !isProvablyDead(row.holder)) {',
      'if (row === null) {',
    ],
    ['SQLite never calls a lease stale', 'if (at - row.heartbeatAt <= leaseStaleMs) return', 'return'],
    [
      'SQLite repeats an epoch',
      'return (row?.epoch ?? lastWritten(engine, key)) + 1;',
      'return row?.epoch ?? lastWritten(engine, key) + 1;',
    ],
  ]),
  ...at('lease', 'src/testkit/memory-store.ts', conformance, [
    ['memory grants a lease that is held', 'if (row?.holder && !dead.has(', 'if (row === null && !dead.has('],
  ]),
  ...at('fencing', 'src/edge/store/append.ts', conformance, [
    [
      'SQLite takes an old epoch',
      'if (lease?.epoch === epoch && lease.session !== null) return;',
      'if (lease !== null) return;',
    ],
    [
      'SQLite takes entries out of order',
      'if (input.fromSeq !== head.seq + 1) {',
      'if (input.fromSeq < 0) {',
    ],
    [
      'SQLite keeps messages that were heard',
      'for (const cause of input.causes) consume.run(run, cause);',
      '',
    ],
  ]),
  ...at('fencing', 'src/testkit/memory-store.ts', conformance, [
    [
      'memory takes an old epoch',
      'if (row?.epoch === epoch && row.holder !== null) return;',
      'if (row !== null) return;',
    ],
    ['memory takes entries out of order', 'if (fromSeq !== lastSeq + 1) throw', 'if (fromSeq < 0) throw'],
  ]),
  ...at('chain', 'src/edge/store/append.ts', conformance, [
    [
      'the hash is not linked',
      'const json = chainedText(text, hash);',
      'const json = chainedText(text, genesis);',
    ],
    ['the hash is of something else', 'hash = sha256(json);', 'hash = sha256(text);'],
  ]),
  ...at(
    'chain',
    'src/edge/store/chain.ts',
    ['store/damage', ...conformance],
    [
      [
        'an edited row goes unnoticed',
        'if (sha256(row.json) !== row.hash) {',
        'if (row.json === row.hash) {',
      ],
      [
        'a replaced row goes unnoticed',
        'else if (gap === 0 && prevOf(row.json) !== head.hash) {',
        'else if (gap < -1) {',
      ],
      ['a missing row goes unnoticed', 'if (gap > 0) {', 'if (gap > 1_000_000) {'],
      ['a cut end goes unnoticed', 'if (end && head.seq < end.seq) {', 'if (end && head.seq < 0) {'],
    ],
  ),
];
