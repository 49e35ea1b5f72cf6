import {
  type CycleFact,
  type NewMemory,
  type SummaryRequest,
  summaryCharsMax,
} from '../../contract/index.ts';

const shownMax = 12;
const lineCharsMax = 240;

/** A cycle written down without a model: nothing is understood, and nothing that was measured is lost. */
export interface PlainSummary {
  readonly summary: string;
  readonly memories: readonly NewMemory[];
}

/**
 * What is kept when nobody can distil: the agent's closing answer, what it asked to be remembered, and the last result
 * of every command, tool and check. Ids are made from run and cycle, so that writing them again changes nothing.
 */
export function plainSummary(request: SummaryRequest): PlainSummary {
  const results = lastResults(request.facts);
  const sections = [
    section('The agent’s last words', request.closing === null ? [] : [request.closing.trim()]),
    section('What was found out', request.facts.filter(({ kind }) => kind === 'note').map(line)),
    section('What commands, tools and checks gave', results.slice(-shownMax).map(line)),
    section('What was not allowed', lastOf(request.facts, 'denied')),
    section('Where the plan stood', lastOf(request.facts, 'plan').slice(-1)),
  ];
  const summary = sections.filter((text) => text !== '').join('\n\n');
  return { summary: fitted(summary), memories: memoriesOf(request, results) };
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${title}:\n${lines.join('\n')}`;

const lastOf = (facts: readonly CycleFact[], kind: CycleFact['kind']): readonly string[] =>
  facts
    .filter((fact) => fact.kind === kind)
    .slice(-shownMax)
    .map(line);

/** The end says how things stand; when something must go it is the middle. */
function fitted(text: string): string {
  if (text.length <= summaryCharsMax) return text;
  const half = Math.floor(summaryCharsMax / 2) - 20;
  return `${text.slice(0, half)}\n[…]\n${text.slice(-half)}`;
}

const isResult = ({ kind }: CycleFact): boolean => kind === 'command' || kind === 'tool' || kind === 'check';

/** Of what was run several times, the last time counts. */
function lastResults(facts: readonly CycleFact[]): readonly CycleFact[] {
  const newest = new Map<string, CycleFact>();
  for (const fact of facts.filter(isResult)) {
    newest.delete(fact.text);
    newest.set(fact.text, fact);
  }
  return [...newest.values()];
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const exitWords = ({ exitCode, outcome }: CycleFact): string =>
  exitCode != null ? `exit ${exitCode}` : (outcome ?? 'unknown');

function line(fact: CycleFact): string {
  const text = oneLine(fact.text).slice(0, lineCharsMax);
  if (!isResult(fact))
    return `- ${text}${fact.result === undefined ? '' : ` (${oneLine(fact.result).slice(0, lineCharsMax)})`}`;
  const end = fact.result === undefined ? '' : `: ${oneLine(fact.result).slice(-lineCharsMax)}`;
  return `- ${text} → ${exitWords(fact)}${end}`;
}

function memoriesOf(request: SummaryRequest, results: readonly CycleFact[]): readonly NewMemory[] {
  const { run, cycle, closing } = request;
  const scope = 'workspace';
  const at = (fact: CycleFact, n: number): Pick<NewMemory, 'id' | 'scope' | 'source'> => ({
    id: `${run}/cycle-${cycle}/${n}`,
    scope,
    source: `${run}/${fact.seq}`,
  });
  const notes = request.facts.filter(({ kind }) => kind === 'note');
  const failed = results.filter(({ outcome }) => outcome === 'failed').slice(-shownMax);
  const answer: readonly NewMemory[] =
    closing === null || closing.trim() === ''
      ? []
      : [{ id: `${run}/cycle-${cycle}/closing`, scope, type: 'observation', text: closing.trim() }];
  return [
    ...answer,
    ...notes.map(
      (fact, n): NewMemory => ({
        ...at(fact, n),
        type: fact.memory ?? 'fact',
        text: fact.text,
        importance: fact.importance,
      }),
    ),
    ...failed.map(
      (fact, n): NewMemory => ({
        ...at(fact, notes.length + n),
        type: 'observation',
        text: line(fact).slice(2),
        importance: 0.3,
      }),
    ),
  ];
}
