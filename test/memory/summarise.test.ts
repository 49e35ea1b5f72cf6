import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  type CycleFact,
  cycleFactsMax,
  cycleMemoriesMax,
  type SummaryRequest,
  summaryRequestSchema,
} from '../../src/contract/index.ts';
import { plainSummary } from '../../src/core/index.ts';
import { distilled, mergePlan, summaryId } from '../../src/core/memory/index.ts';
import { contradicts, saysTheSame } from '../../src/core/memory/merge.ts';
import { CycleSummarySignature, cycleSummaryInputOf } from '../../src/core/models/index.ts';
import { makeRedactor } from '../../src/edge/ingest/redact.ts';
import { cycleMemory } from '../../src/edge/memory/for-cycles.ts';
import { type Memories, openMemories } from '../../src/edge/memory/memories.ts';
import { workspaceScope } from '../../src/edge/memory/scope.ts';
import { makeSummariser } from '../../src/edge/memory/summarise.ts';
import { providerModel } from '../../src/edge/models/provider.ts';
import { type ChatStep, type ScriptedChat, scriptedChat } from '../../src/testkit/models/chat-completions.ts';

const nowAt = Date.parse('2026-11-01T18:00:00Z');
const dayMs = 86_400_000;
const workspace = '/home/someone/shop';
const scope = workspaceScope(workspace);

const facts: readonly CycleFact[] = [
  {
    seq: 11,
    kind: 'command',
    text: 'pnpm test',
    outcome: 'failed',
    exitCode: 1,
    result: '2 tests failed in cart.test.ts',
  },
  { seq: 12, kind: 'edit', text: 'src/cart.ts', outcome: 'ok' },
  { seq: 14, kind: 'note', text: 'The cart totals are kept in cents.' },
  { seq: 15, kind: 'steer', text: 'Do not touch the payment folder.' },
  { seq: 17, kind: 'command', text: 'pnpm test', outcome: 'ok', exitCode: 0, result: '41 passed' },
  { seq: 18, kind: 'message', text: 'The cart is mended; discounts are next.' },
];
const request: SummaryRequest = summaryRequestSchema.parse({
  run: 'r1',
  cycle: 2,
  mission: 'mend the cart',
  workspace,
  agent: 'codex',
  leftOut: 0,
  tasks: '',
  facts,
  closing: 'The cart is mended; discounts are next.',
});

const learned = (over: object = {}) => ({
  type: 'procedure',
  text: 'Tests are run with pnpm test.',
  entry: 17,
  importance: 0.7,
  scope: 'workspace',
  supersedes: null,
  ...over,
});
const says = (value: unknown): ChatStep => ({
  do: 'say',
  text: typeof value === 'string' ? value : JSON.stringify(value),
});

let server: ScriptedChat;
beforeEach(async () => {
  server = await scriptedChat();
});
afterEach(() => server.close());

function scratchFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tireless-summary-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'memory.db');
}

function opened(path = scratchFile(), redact: (text: string) => string = (text) => text): Memories {
  const memories = openMemories(path, { redact, at: () => nowAt });
  onTestFinished(() => memories.close());
  return memories;
}

const withModel = (memories: Memories, timeoutMs = 20_000) =>
  makeSummariser({
    using: (use) => use(memories),
    at: () => nowAt,
    timeoutMs,
    model: providerModel('ollama:llama3.2', { env: {}, baseUrl: server.url }),
  });
/** A process of its own distils a cycle; it may be killed so long after it began. */
async function distilledBy(path: string, killedAfterMs?: number): Promise<void> {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, 'distil-once.ts'), path], {
    timeout: 60_000,
  });
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  if (killedAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killedAfterMs);
  const [code] = await ended;
  if (killedAfterMs === undefined) expect(code).toBe(0);
}
const kept = (memories: Memories) => [...memories.export()];
const textsOf = (memories: Memories) => kept(memories).map(({ text }) => text);

describe('a cycle distilled by a model', () => {
  it('leaves its summary and typed memories, each with the entry that shows it', async () => {
    const memories = opened();
    server.push(says({ summary: 'The cart was mended.', memories: [learned()] }));
    const made = await withModel(memories)(request);
    expect(made).toMatchObject({
      summary: 'The cart was mended.',
      usage: { totalTokens: expect.any(Number) },
    });
    expect(kept(memories)).toMatchObject([
      { id: summaryId('r1', 2), text: 'Cycle 2: The cart was mended.', scope },
      { text: 'The cart totals are kept in cents.', source: 'r1/14', type: 'observation' },
      { text: 'A person said: Do not touch the payment folder.', source: 'r1/15', type: 'preference' },
      { type: 'procedure', source: 'r1/17', importance: 0.7, scope },
    ]);
    expect(made.memories).toEqual(kept(memories).map(({ id }) => id));
  });

  it('leaves out what no fact shows, and tells', async () => {
    const memories = opened();
    server.push(says({ summary: 'Done.', memories: [learned({ entry: 99, text: 'The moon is cheese.' })] }));
    const { diagnostics } = await withModel(memories)(request);
    expect(textsOf(memories).join()).not.toContain('cheese');
    expect(diagnostics.join()).toContain('no fact 99 shows');
  });

  it('reads an answer in a fence, with words around it and a type in capitals', async () => {
    const memories = opened();
    const answer = JSON.stringify({
      summary: 'Done.',
      memories: [learned({ type: 'PROCEDURE', importance: '70%' })],
    });
    server.push(says(`Sure! Here it is:\n\`\`\`json\n${answer}\n\`\`\``));
    await withModel(memories)(request);
    expect(kept(memories).at(-1)).toMatchObject({ type: 'procedure', importance: 0.7 });
  });

  it('keeps what one mission teaches from every other, but for wishes that hold everywhere', async () => {
    const memories = opened();
    const wish = learned({ type: 'preference', text: 'Tabs, never spaces.', scope: 'global', entry: 15 });
    const fact = learned({ type: 'fact', text: 'The shop uses pnpm.', scope: 'global' });
    server.push(says({ summary: 'Done.', memories: [wish, fact] }));
    await withModel(memories)(request);
    const scopes = new Map(kept(memories).map(({ text, scope: one }) => [text, one]));
    expect(scopes.get('Tabs, never spaces.')).toBe('global');
    expect(scopes.get('The shop uses pnpm.')).toBe(scope);
  });

  it('shows the model what is known about the mission, and failures before a flood of words', () => {
    const flood = Array.from(
      { length: cycleFactsMax - 2 },
      (_, n): CycleFact => ({ seq: n + 10, kind: 'message', text: `${n} ${'word '.repeat(80)}` }),
    );
    const first: CycleFact = {
      seq: 1,
      kind: 'command',
      text: 'make',
      outcome: 'failed',
      exitCode: 2,
      result: 'no rule',
    };
    const second: CycleFact = { seq: 2, kind: 'tool', text: 'look', outcome: 'ok', result: 'found it' };
    const shown = cycleSummaryInputOf({ ...request, facts: [first, second, ...flood] }, []);
    expect(shown.facts.slice(0, 2)).toMatchObject([{ entry: 1, ok: false, result: 'no rule' }, { entry: 2 }]);
    expect(shown.facts_left_out).toBe(cycleFactsMax - shown.facts.length);
    expect(JSON.stringify(shown).length).toBeLessThan(60_000);
    expect(CycleSummarySignature.input.safeParse(shown).success).toBe(true);
  });
});

describe('a cycle whose model is of no use', () => {
  const everyResult = (memories: Memories): void => {
    const all = textsOf(memories).join('\n');
    for (const { text, result = '' } of facts) {
      expect(all).toContain(text);
      expect(all).toContain(result);
    }
  };

  it.each<[string, ChatStep[]]>([
    [
      'is away',
      [
        { do: 'refuse', status: 503, body: '' },
        { do: 'refuse', status: 503, body: '' },
      ],
    ],
    ['has a wrong key', [{ do: 'refuse', status: 401, body: 'no' }]],
    ['babbles', [says('I would rather talk about cats.'), says('Cats!')]],
    ['answers nonsense', [says({ summary: 7, memories: 'none' }), says({ summary: null })]],
    ['contradicts itself', [says('{"summary":"a","memories":[]} {"summary":"b","memories":[]}')]],
    ['is cut off', [{ do: 'cut' }, { do: 'cut' }]],
  ])('because it %s keeps every fact and result, and says why', async (_why, steps) => {
    const memories = opened();
    server.push(...steps);
    const made = await withModel(memories)(request);
    everyResult(memories);
    expect(made.diagnostics.length).toBeGreaterThan(0);
    expect(kept(memories)[0]?.id).toBe(summaryId('r1', 2));
  });

  it('because it hangs is not waited for longer than told', async () => {
    const memories = opened();
    server.push({ do: 'hang' });
    const { diagnostics } = await withModel(memories, 200)(request);
    everyResult(memories);
    expect(diagnostics.join()).toContain('silent');
  });

  it('or that has none keeps the facts, with the entry of each as evidence', async () => {
    const memories = opened();
    const made = await makeSummariser({ using: (use) => use(memories), at: () => nowAt, timeoutMs: 1 })(
      request,
    );
    everyResult(memories);
    expect(made).toMatchObject({
      plain: true,
      summary: expect.stringContaining('pnpm test → exit 0: 41 passed'),
    });
    expect(kept(memories).filter(({ source }) => source === undefined)).toEqual([]);
    expect(kept(memories).find(({ type }) => type === 'mistake')?.source).toBe('r1/11');
  });

  it('keeps even the longest cycle within the bound, down to its last result', () => {
    const many = Array.from(
      { length: cycleFactsMax },
      (_, n): CycleFact => ({
        seq: n + 1,
        kind: 'command',
        text: `step ${n} ${'x'.repeat(900)}`,
        outcome: n % 3 === 0 ? 'failed' : 'ok',
        exitCode: n % 3 === 0 ? 1 : 0,
        result: `result-${n}-`,
      }),
    );
    const { memories } = distilled({ ...request, facts: many }, null, { scope, at: nowAt });
    expect(memories.length).toBeLessThanOrEqual(cycleMemoriesMax);
    const all = memories.map(({ text }) => text).join('\n');
    expect(many.filter(({ result = '' }) => !all.includes(result))).toEqual([]);
  });
});

describe('distilling a cycle twice', () => {
  it('writes nothing twice, whatever the model says the second time', async () => {
    const path = scratchFile();
    server.push(
      says({ summary: 'First.', memories: [learned()] }),
      says({ summary: 'Second.', memories: [] }),
    );
    const first = opened(path);
    const made = await withModel(first)(request);
    const before = kept(first);
    first.close();
    const again = opened(path);
    const repeated = await withModel(again)(request);
    expect(kept(again)).toEqual(before);
    expect(repeated).toMatchObject({ summary: 'First.', memories: made.memories });
    expect(server.requests).toHaveLength(1);
  });

  it('after the facts were kept as they are loses nothing, and says nothing twice', async () => {
    const memories = opened();
    const plain = plainSummary(request).memories.map((one) => ({ ...one, scope }));
    memories.add(plain);
    server.push(says({ summary: 'Done.', memories: [learned()] }));
    const { diagnostics } = await withModel(memories)(request);
    expect(diagnostics.join()).not.toContain('not stored');
    const texts = textsOf(memories);
    expect(texts).toContain('Tests are run with pnpm test.');
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('writes nothing when it is called off', async () => {
    const memories = opened();
    const off = new AbortController();
    server.push({ do: 'hang' });
    const asking = withModel(memories)(request, off.signal);
    off.abort();
    await expect(asking).rejects.toThrow('called off');
    expect(kept(memories)).toEqual([]);
  });

  it('ends as if nothing had happened when its process was killed in the middle, again and again', async () => {
    const [path, calm] = [scratchFile(), scratchFile()];
    for (const killedAfterMs of [0, 10, 30, 60]) await distilledBy(path, killedAfterMs);
    await distilledBy(path);
    await distilledBy(calm);
    await distilledBy(calm);
    const [one, other] = [kept(opened(path)), kept(opened(calm))];
    expect(one.length).toBeGreaterThan(50);
    expect(one).toEqual(other);
  });
});

describe('what is known already', () => {
  const old = (text: string, over: object = {}) => ({
    id: 'old',
    text,
    type: 'fact' as const,
    scope,
    source: 'r0/4',
    at: nowAt - 30 * dayMs,
    ...over,
  });
  const told = async (memories: Memories, ...given: object[]) => {
    server.push(says({ summary: 'Done.', memories: given }));
    return withModel(memories)(request);
  };

  it('is not written again, and counts as fresh and as important as it was called', async () => {
    const memories = opened();
    memories.add([old('The shop listens on port 8443.')]);
    const same = learned({ type: 'fact', text: 'The shop listens on port 8443', importance: 0.9 });
    const { diagnostics } = await told(memories, same, learned({ text: 'The tests run with pnpm.' }));
    expect(textsOf(memories).filter((text) => text.includes('8443'))).toHaveLength(1);
    expect(memories.get('old')).toMatchObject({ at: nowAt, importance: 0.9 });
    expect(diagnostics.join()).toContain('says the same already');
  });

  it('is replaced when the model says that it is no longer true, visibly', async () => {
    const memories = opened();
    memories.add([old('Background jobs run in Sidekiq.')]);
    await told(memories, learned({ type: 'fact', text: 'Jobs were moved to Temporal.', supersedes: 'old' }));
    const found = memories.search('what runs background jobs', { scopes: [scope] });
    expect(found.map(({ id }) => id)).not.toContain('old');
    expect(found.find(({ text }) => text.includes('Temporal'))?.why).toContain('replaces old');
    expect(memories.get('old')?.supersededBy).toMatch(/^r1\/cycle-2\//);
  });

  it('is replaced when a number of it changed, though the model did not notice', async () => {
    const memories = opened();
    memories.add([old('The shop listens on port 8443.')]);
    await told(memories, learned({ type: 'fact', text: 'The shop listens on port 9443.' }));
    expect(memories.get('old')?.supersededBy).toBeDefined();
  });

  it('stays when a person wrote it, and when it belongs to another scope', async () => {
    const memories = opened();
    const { source: _none, ...mine } = old('The shop listens on port 8443.');
    memories.add([mine, old('Deploys go through Argo.', { id: 'other', scope: 'elsewhere' })]);
    const { diagnostics } = await told(
      memories,
      learned({ type: 'fact', text: 'The shop listens on port 9443.', supersedes: 'old' }),
      learned({ type: 'fact', text: 'Deploys go through Spinnaker.', supersedes: 'other' }),
      learned({ type: 'fact', text: 'Logs go to Loki.', supersedes: 'nobody' }),
    );
    for (const id of ['old', 'other']) expect(memories.get(id)?.supersededBy).toBeUndefined();
    expect(diagnostics.join()).toMatch(/written by a person.*another scope.*"nobody" is no known memory/);
  });

  it('never keeps a secret', async () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);
    const path = scratchFile();
    const memories = opened(path, makeRedactor({ env: {}, declared: [], key: new Uint8Array(32) }));
    const { summary } = await told(memories, learned({ text: `Deploy with ${token}.` }));
    expect(summary).toBe('Done.');
    expect(textsOf(memories).join()).toContain('⟦secret:');
    memories.close();
    expect(readFileSync(path, 'latin1')).not.toContain(token);
  });

  it('is told to the next cycle within its budget, and counted as used', async () => {
    const path = scratchFile();
    const memories = opened(path);
    memories.add([{ id: 'far', text: 'The tests of another shop run with pnpm.', scope: 'elsewhere' }]);
    server.push(says({ summary: 'Done.', memories: [learned()] }));
    const { summarise, recall } = cycleMemory({
      home: { dir: dirname(path) },
      workspace,
      redact: (text) => text,
      at: () => nowAt,
      timeoutMs: 20_000,
      model: providerModel('ollama:llama3.2', { env: {}, baseUrl: server.url }),
    });
    await summarise(request);
    const recalled = await recall('how are tests run', { tokensMax: 4_000, entriesMax: 25 });
    expect(recalled.memories.map(({ text }) => text)).toContain(
      '- (procedure) Tests are run with pnpm test.',
    );
    expect(recalled.memories.map(({ id }) => id)).not.toContain('far');
    // What people said and the agent noted is told also when the question is about something else.
    expect(recalled.memories.map(({ text }) => text).join()).toContain('Do not touch the payment folder');
    expect(memories.get(recalled.memories[0]?.id ?? '')?.accessed).toBe(1);
    const tight = await recall('cart tests pnpm', { tokensMax: 30, entriesMax: 25 });
    expect(tight.leftOut).toBeGreaterThan(0);
  });
});

describe('comparing two memories', () => {
  it.each([
    ['The cache lives in Redis.', 'the cache lives in Redis', true],
    ['The cache lives in Redis.', 'The cache does not live in Redis.', false],
    ['Port of alpha is 4001', 'Port of alpha is 4002', false],
    ['Ann likes tabs.', 'Bob likes tabs.', false],
  ])('%j and %j say the same: %j', (a, b, is) => {
    expect(saysTheSame(a, b)).toBe(is);
  });

  it.each([
    ['The API listens on port 9443.', 'The API listens on port 8443.', true],
    ['Sessions expire after 20 minutes.', 'Sessions expire after 45 minutes.', true],
    ['The flag beta is not enabled.', 'The flag beta is enabled.', true],
    ['Worker pool 2 uses 4 threads.', 'Worker pool 3 uses 4 threads.', false],
    ['Node 1 of redis', 'Node 2 of redis', false],
    ['The port of Alpha is 4001.', 'The port of Beta is 4002.', false],
    ['The build is slow.', 'The shop is open until 9.', false],
  ])('%j contradicts %j: %j', (a, b, is) => {
    expect(contradicts(a, b)).toBe(is);
  });

  it('takes two new ones that say the same as one', () => {
    const one = {
      id: 'a',
      text: 'The cache is cold.',
      type: 'fact',
      scope,
      importance: 0.5,
      at: nowAt,
    } as const;
    expect(
      mergePlan([one, { ...one, id: 'b', text: 'the cache is cold' }], [], () => false).add,
    ).toHaveLength(1);
  });
});
