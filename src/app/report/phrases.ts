import type { CheckResult } from '../../contract/index.ts';
import { isTerminal } from '../../core/index.ts';
import type { BandKind, CheckRun, GateEnd, Report, TurnStory } from '../../core/report/index.ts';
import { count, duration } from '../cli/format.ts';

/** Times and sentences that every form of the report shares. Texts may hold an agent's words: whoever shows them cleans them. */

export const moment = (at: number): string =>
  new Date(at).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });

/** From one moment to another; the day is not said twice. */
export const period = (from: number, to: number): string => {
  const isSameDay = new Date(from).toDateString() === new Date(to).toDateString();
  return `${moment(from)} to ${isSameDay ? clock(to).slice(0, 5) : moment(to)}`;
};

export const clock = (at: number): string =>
  new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

export const money = (dollars: number): string => `$${dollars.toFixed(dollars < 10 ? 2 : 0)}`;

/** Short stretches matter in a demo and in tests: below ten seconds they keep a decimal. */
export const span = (ms: number): string =>
  ms < 950 ? `${Math.round(ms)} ms` : ms < 9_950 ? `${(ms / 1_000).toFixed(1)} s` : duration(ms);

/** A stretch to remember, not to add up: two figures at most. */
const roughSpan = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 10) return span(ms);
  if (minutes < 60) return `${minutes} min`;
  return duration(minutes < 600 ? minutes * 60_000 : Math.round(minutes / 60) * 3_600_000);
};

export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`;

export const shortTree = (tree: string | null): string =>
  tree === null || tree === 'unknown' ? 'unknown' : tree.slice(0, 10);

export type Mood = 'good' | 'warn' | 'bad' | 'calm';

/** How the run stands, in two words and one sentence. */
export interface Headline {
  readonly mood: Mood;
  readonly badge: string;
  readonly says: string;
}

export function headline(report: Report): Headline {
  const { ending, view, certificate } = report;
  const because = ending.because;
  const told = (mood: Mood, badge: string, lead: string): Headline => ({
    mood,
    badge,
    says: because === '' ? `${lead}.` : `${lead}: ${because}`,
  });
  switch (ending.state) {
    case 'done':
      return certificate?.acceptedBy == null
        ? told('good', 'Done, proven', 'Finished, on our own evidence')
        : told('good', 'Done, accepted', 'Finished, accepted by a person');
    case 'failed':
      return told('bad', 'Failed', 'It could not go on');
    case 'stopped':
      return told('calm', 'Stopped', 'Ended before it was finished');
    case 'paused':
      return ending.cause?.startsWith('limit:') === true
        ? told('warn', 'Stopped by a limit', 'It stands at a limit and can be resumed')
        : told('warn', 'Paused', 'It stands still and can be resumed');
    case 'waiting':
      return view.waitingOn === 'approval' || view.waitingOn === 'input'
        ? told('warn', 'Needs you', 'It waits for a person')
        : told('calm', 'Waiting', `It waits (${view.waitingOn ?? 'unknown'})`);
    default:
      return told('calm', 'At work', `It is ${ending.state}`);
  }
}

/** How the agent said that it is finished. */
export const claimWords = (via: string): string =>
  ({
    reported: 'the agent reported that it is done',
    'closing-line': 'the agent ended with the closing line that was asked for',
    advice: 'the decision model read the last message as a claim',
  })[via] ?? via;

export interface Fact {
  readonly text: string;
  /** `proven` by our own checks, `seen` in the ledger, `claimed` by the agent. */
  readonly how: 'proven' | 'seen' | 'claimed' | 'open';
}

/** The last evidence about a claim; what was measured before the first turn proves nothing about the work. */
export const lastChecks = ({ checkRuns }: Report): CheckRun | null =>
  checkRuns.shown.findLast((ran) => !ran.isVoid && ran.purpose === 'claim') ?? null;

/** How the checks stood before the first turn. */
const baseline = ({ checkRuns }: Report): CheckRun | null =>
  checkRuns.shown.find((ran) => !ran.isVoid && ran.purpose === 'baseline') ?? null;

/** When a run of the checks happened, in words. */
export const checkRunWords = (ran: CheckRun): string => {
  const passed = ran.results.filter((result) => result.outcome === 'passed').length;
  const after =
    ran.purpose === 'task' ? `for tasks called done, after turn ${ran.turn}` : `after turn ${ran.turn}`;
  const when = ran.purpose === 'baseline' ? 'before the first turn' : after;
  return `${when}: ${passed} of ${ran.results.length} passed${ran.isVoid ? ' (void: the ground moved meanwhile)' : ''}`;
};

export function done(report: Report): readonly Fact[] {
  const { changes, view, spent } = report;
  const facts: Fact[] = [];
  for (const result of lastChecks(report)?.results ?? [])
    if (result.outcome === 'passed') facts.push({ text: resultWords(result), how: 'proven' });
  if (report.certificate?.acceptedBy != null)
    facts.push({ text: `the work was accepted by ${report.certificate.acceptedBy}`, how: 'seen' });
  const changed = changeWords(report);
  if (changed !== null) facts.push({ text: changed, how: 'seen' });
  else if (changes.turns > 0)
    facts.push({ text: `${plural(changes.turns, 'turn')} of ${spent.turns} left a result`, how: 'seen' });
  if (view.plan !== null && view.plan.done > 0)
    facts.push({
      text: `${view.plan.done} of ${plural(view.plan.total, 'step')} of the agent's plan`,
      how: 'claimed',
    });
  if (view.tasks !== undefined && view.tasks.done > 0)
    facts.push({
      text: `${view.tasks.done} of ${plural(view.tasks.total, 'task')} of the queue`,
      how: 'seen',
    });
  return facts;
}

export function notDone(report: Report): readonly Fact[] {
  const { view, ending, denials, unanswered, refusals } = report;
  const open = (text: string): Fact => ({ text, how: 'open' });
  const facts: Fact[] = [];
  for (const result of lastChecks(report)?.results ?? [])
    if (result.outcome !== 'passed') facts.push(open(resultWords(result)));
  const left = view.plan === null ? 0 : view.plan.total - view.plan.done;
  if (left > 0)
    facts.push(
      open(
        `${plural(left, 'step')} of the agent's plan${view.plan?.current == null ? '' : `, now at: ${view.plan.current}`}`,
      ),
    );
  if (view.tasks !== undefined && view.tasks.open + view.tasks.blocked > 0)
    facts.push(open(`${plural(view.tasks.open, 'task')} of the queue open, ${view.tasks.blocked} blocked`));
  if (unanswered.length > 0)
    facts.push(open(`${plural(unanswered.length, 'action')} denied for want of an answer`));
  const refused = report.gates.shown.filter((gate) => gate.end === 'denied').length;
  if (refused > 0) facts.push(open(`${plural(refused, 'action')} denied by a person`));
  if (denials.total > 0) facts.push(open(`${plural(denials.total, 'action')} refused by the guard`));
  if (view.gates.length > 0) facts.push(open(`${plural(view.gates.length, 'question')} still open`));
  if (ending.state !== 'done') facts.push(open(uncertified(report, refusals)));
  return facts;
}

function uncertified(report: Report, refusals: number): string {
  if (refusals > 0) return `no certificate: ${plural(refusals, 'claim')} of completion did not hold`;
  if (report.asked.checks.length === 0) return 'no certificate: no check was found that could prove the work';
  return 'no certificate: the agent did not claim to be finished';
}

/** A check in one line. */
export function resultWords(result: CheckResult): string {
  const { counts, coverage } = result;
  const parts = [
    result.command === result.name ? '' : result.command,
    result.exitCode === null ? '' : `exit ${result.exitCode}`,
    counts === undefined
      ? ''
      : `${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`,
    coverage === undefined ? '' : `${coverage.percent} % of ${coverage.unit} covered`,
    span(result.durationMs),
  ];
  return `${result.name} ${result.outcome}: ${parts.filter((part) => part !== '').join(', ')}`;
}

/** What the run did to the files, when somebody compared the trees. */
export function changeWords({ changes }: Report): string | null {
  const { files, paths } = changes;
  if (files === undefined || paths === undefined) return null;
  if (paths === 0) return 'no file differs from the start';
  const sum = (side: 'added' | 'removed'): number => files.reduce((all, file) => all + (file[side] ?? 0), 0);
  const least = files.length < paths ? 'at least ' : '';
  return `${plural(paths, 'file')} changed, ${least}+${sum('added').toLocaleString('en-US')} −${sum('removed').toLocaleString('en-US')} lines`;
}

/** The one command that lets denied work go on. */
export function approveCommand({ view, run }: Report): string {
  const [gate] = view.gates;
  if (gate?.kind === 'approval' || gate?.kind === 'accept') return `tireless approve ${run}:${gate.id}`;
  if (gate !== undefined) return `tireless answer ${run}:${gate.id} "…"`;
  const denied = isTerminal(view.state) ? undefined : view.unanswered?.at(-1);
  if (denied !== undefined) return `tireless approve ${run}:${denied.id}`;
  if (view.state === 'paused') return `tireless resume ${run}`;
  return isTerminal(view.state) ? 'tireless run "…"' : 'tireless inbox';
}

/** What that command does about the denied actions. */
export function approveWords({ view }: Report): string {
  if (view.gates.length > 0) return 'A question is open now. This answers it, and the run goes on:';
  if (!isTerminal(view.state) && (view.unanswered ?? []).length > 0)
    return 'This approves the last of them and lets the run go on; the agent is told to do it again:';
  if (view.state === 'paused') return 'This resumes the run; the agent asks again, and then you can approve:';
  if (isTerminal(view.state)) return 'The run is over. What is still wanted needs a new one:';
  return 'The run goes on without it. If the agent asks again, the question waits here:';
}

export interface Tile {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

const cycleTile = ({ cycle }: Report['view']): readonly Tile[] =>
  cycle === undefined
    ? []
    : [
        {
          name: 'Cycles',
          value: String(cycle.n),
          note: `of at most ${cycle.max}; all counts are sums over them`,
        },
      ];

/** The figures a person looks at first. */
export function tiles(report: Report): readonly Tile[] {
  const { spent, view, gates, answers, asked } = report;
  const claimed = lastChecks(report);
  const checks = (claimed ?? baseline(report))?.results ?? [];
  const passed = checks.filter((result) => result.outcome === 'passed').length;
  const approved = answers.filter((a) => a.answer === 'approve').reduce((all, a) => all + a.times, 0);
  const tokenNote = view.tokensMax === null ? 'no token limit' : `of ${count(view.tokensMax)}`;
  return [
    ...cycleTile(view),
    { name: 'Turns', value: count(spent.turns), note: `of at most ${count(view.turnsMax)}` },
    {
      name: 'Tokens',
      value: spent.tokens === null ? '–' : count(spent.tokens),
      note: spent.tokens === null ? 'not reported' : tokenNote,
    },
    {
      name: 'Cost',
      value: spent.money === null ? '–' : money(spent.money),
      note: spent.money === null ? 'not reported' : 'API-equivalent',
    },
    { name: 'Time at work', value: roughSpan(spent.activeMs), note: `in ${roughSpan(spent.elapsedMs)}` },
    {
      name: 'Checks',
      value: checks.length === 0 ? '–' : `${passed}/${checks.length}`,
      note:
        claimed !== null
          ? 'passed'
          : checks.length > 0
            ? 'passed before the first turn'
            : asked.checks.length > 0
              ? 'not run yet'
              : 'none found',
    },
    { name: 'You were asked', value: count(gates.total), note: `${count(approved)} approved by rule` },
  ];
}

export const bandWords: Readonly<Record<BandKind, string>> = {
  working: 'agent at work',
  checking: 'checks running',
  deciding: 'deciding',
  'waiting-person': 'waiting for a person',
  'waiting-world': 'waiting for the world',
  paused: 'paused',
  asleep: 'machine asleep',
  unkept: 'nobody kept it',
};

export const gateWords: Readonly<Record<GateEnd, string>> = {
  open: 'still open',
  approved: 'approved',
  denied: 'denied',
  answered: 'answered',
  expired: 'nobody answered in time',
  withdrawn: 'no longer asked',
};

/** What a turn did, by the kinds of its items. */
export function itemWords({ items, failedItems, denials }: TurnStory): string {
  const parts = [
    items.command > 0 ? plural(items.command, 'command') : '',
    items.edit > 0 ? plural(items.edit, 'edit') : '',
    items.tool > 0 ? plural(items.tool, 'tool call') : '',
    failedItems > 0 ? `${failedItems} failed` : '',
    denials > 0 ? `${denials} denied` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** What went wrong around the work, each in one line; empty when nothing did. */
export function troubleWords({ troubles, broken, chain }: Report): readonly string[] {
  const { failures, retriedErrors, compactions, lostSessions, keepers, recoveries } = troubles;
  const { sleeps, foreignTurns, late, unreadable } = troubles;
  const lines = failures.map(
    ({ kind, times, lastMessage }) =>
      `${plural(times, 'turn')} failed (${kind})${lastMessage === '' ? '' : `, last: ${lastMessage}`}`,
  );
  const note = (n: number, text: string): void => void (n > 0 && lines.push(text));
  note(retriedErrors, `${plural(retriedErrors, 'error')} the agent got over by itself`);
  note(lostSessions, `the agent's process ended ${plural(lostSessions, 'time')} by itself`);
  note(compactions, `the agent compacted its context ${plural(compactions, 'time')}`);
  note(keepers - 1, `picked up again by a new process ${plural(keepers - 1, 'time')}`);
  note(
    recoveries,
    `${plural(recoveries, 'turn')} in doubt after a crash, followed up before anything was sent`,
  );
  note(sleeps.times, `the machine slept ${plural(sleeps.times, 'time')}, ${span(sleeps.ms)} in all`);
  note(foreignTurns, `${plural(foreignTurns, 'turn')} started by somebody else: followed and billed`);
  for (const { name, times } of late)
    lines.push(`heard too late to count: ${name}${times > 1 ? ` ×${times}` : ''}`);
  note(unreadable.times, `${plural(unreadable.times, 'message')} of the agent could not be read`);
  for (const sample of unreadable.samples) lines.push(`unreadable from ${sample}`);
  if (broken !== null)
    lines.push(`the ledger can be followed only up to entry ${broken.seq - 1}: ${broken.because}`);
  if (chain !== undefined && !chain.ok) lines.push(`the ledger is damaged: ${chain.damage.join('; ')}`);
  return lines;
}
