import { describe, expect, it } from 'vitest';
import {
  type CycleFact,
  cycleFactCharsMax,
  cycleFactsCharsMax,
  cycleFactsMax,
  type SummaryRequest,
  summaryCharsMax,
  summaryRequestSchema,
} from '../../src/contract/index.ts';
import { factsOf, plainSummary, summaryRequest, withResults } from '../../src/core/index.ts';
import { checksOutcome, failed } from '../../src/testkit/ledger-run.ts';
import { begun, turn } from '../scenarios/cycle-kit.ts';

const said = (n: number): CycleFact => ({ seq: n, kind: 'message', text: `message ${n}` });
const ran = (n: number, over: Partial<CycleFact> = {}): CycleFact => ({
  seq: n,
  kind: 'command',
  text: `make step-${n}`,
  outcome: 'ok',
  exitCode: 0,
  result: `built ${n}`,
  ...over,
});

const requestWith = (facts: readonly CycleFact[]): SummaryRequest => summaryRequest(begun().run(), facts);

describe('the facts of a cycle', () => {
  it('are what was said, run, checked, denied and asked, with exit codes and results', () => {
    const r = begun();
    r.launch();
    const id = r.started();
    const at = { session: 's1', turn: id };
    const body = 'b'.repeat(64);
    r.onEvent({
      type: 'item-ended',
      ...at,
      item: 'a',
      kind: 'command',
      outcome: 'failed',
      label: 'npm test',
      exitCode: 1,
      body,
    });
    r.onEvent({
      type: 'item-ended',
      ...at,
      item: 'b',
      kind: 'tool',
      outcome: 'ok',
      label: 'search parser',
      body,
    });
    r.onEvent({ type: 'item-ended', ...at, item: 'c', kind: 'reasoning', outcome: 'ok', label: 'hm' });
    r.onEvent({
      type: 'memory-noted',
      from: 'agent',
      by: 'scripted',
      note: { text: 'Redis must run', kind: 'fact', importance: 0.9 },
    });
    r.onEvent({ type: 'steer-given', text: { text: 'mind the docs' }, by: 'me' });
    const facts = withResults(factsOf(r.entries), new Map([[body, `${'x'.repeat(9_000)}3 failed`]]));
    expect(facts).toMatchObject([
      { kind: 'check' },
      { kind: 'command', text: 'npm test', outcome: 'failed', exitCode: 1 },
      { kind: 'tool', text: 'search parser' },
      { kind: 'note', text: 'Redis must run', memory: 'fact', importance: 0.9 },
      { kind: 'steer', text: 'mind the docs' },
    ]);
    expect(facts[1]?.result).toMatch(/3 failed$/);
    expect(facts[1]?.result?.length).toBe(cycleFactCharsMax);
  });

  it('name the entry that each comes from', () => {
    const r = begun();
    turn(r, 10, { message: { text: 'done\n' } });
    for (const { seq } of factsOf(r.entries)) expect(r.entries[seq - 1]?.seq).toBe(seq);
  });

  it('keep every tool result when talk has to go: a long tail of messages drops none of them', () => {
    const facts = [
      ...Array.from({ length: 30 }, (_, n) => ran(n + 1)),
      ...Array.from({ length: cycleFactsMax + 90 }, (_, n) => said(n + 31)),
    ];
    const request = requestWith(facts);
    expect(request.facts.filter(({ kind }) => kind === 'command')).toHaveLength(30);
    expect(request.facts).toHaveLength(cycleFactsMax);
    expect(request.leftOut).toBe(120);
    const seqs = request.facts.map(({ seq }) => seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    expect(summaryRequestSchema.safeParse(request).error).toBeUndefined();
  });

  it('stay within their bound, and the newest stay', () => {
    const facts = Array.from({ length: 500 }, (_, n) => ran(n + 1, { result: 'r'.repeat(2_000) }));
    const request = requestWith(facts);
    const chars = request.facts.reduce((sum, { text, result = '' }) => sum + text.length + result.length, 0);
    expect(chars).toBeLessThanOrEqual(cycleFactsCharsMax);
    expect(chars).toBeGreaterThan(cycleFactsCharsMax - 3_000);
    expect(request.facts.at(-1)?.seq).toBe(500);
    expect(request.leftOut).toBe(500 - request.facts.length);
  });

  it('hold what our own checks gave', () => {
    const r = begun();
    turn(r, 10, { message: { text: 'TIRELESS: MISSION COMPLETE' } });
    if (r.has('checks-run'))
      r.outcome('checks-run', checksOutcome([failed({ tail: { text: '1 failed' } })], 't1'));
    const checks = factsOf(r.entries).filter(({ kind }) => kind === 'check');
    expect(checks.at(-1)).toMatchObject({ text: 'test: npm test' });
  });
});

describe('a cycle that nobody distils', () => {
  const request = (
    facts: readonly CycleFact[],
    closing: string | null = 'The parser works; the docs are open.',
  ) => ({ ...requestWith(facts), closing });

  it('is told with the agent’s last words and every last result', () => {
    const { summary } = plainSummary(
      request([ran(1, { exitCode: 1, outcome: 'failed', result: '2 failed' }), ran(2), ran(1, { seq: 9 })]),
    );
    expect(summary).toContain('The parser works; the docs are open.');
    expect(summary).toContain('make step-1 → exit 0: built 1');
    expect(summary).not.toContain('2 failed');
    expect(summary).toContain('make step-2 → exit 0: built 2');
  });

  it('leaves the closing answer, the notes and the failures as memories with their source', () => {
    const note: CycleFact = {
      seq: 4,
      kind: 'note',
      text: 'Redis must run',
      memory: 'mistake',
      importance: 0.9,
    };
    const { memories } = plainSummary(request([ran(3, { outcome: 'failed', exitCode: 2 }), note]));
    const { run, cycle } = requestWith([]);
    expect(memories).toMatchObject([
      { id: `${run}/cycle-${cycle}/closing`, text: 'The parser works; the docs are open.' },
      { text: 'Redis must run', type: 'mistake', importance: 0.9, source: `${run}/4` },
      { text: 'make step-3 → exit 2: built 3', source: `${run}/3` },
    ]);
  });

  it('gives the same memories under the same ids every time', () => {
    const facts = [ran(1, { outcome: 'failed' }), ran(2)];
    expect(plainSummary(request(facts))).toEqual(plainSummary(request(facts)));
  });

  it('stays within what an input may hold', () => {
    const facts = Array.from({ length: 200 }, (_, n) => ran(n + 1, { result: 'r'.repeat(2_000) }));
    const { summary } = plainSummary(request(facts, 'c'.repeat(summaryCharsMax)));
    expect(summary.length).toBeLessThanOrEqual(summaryCharsMax);
    expect(summary).toContain('[…]');
  });

  it('in which nothing was said or done has nothing to say', () => {
    expect(plainSummary(request([], null))).toEqual({ summary: '', memories: [] });
  });
});
