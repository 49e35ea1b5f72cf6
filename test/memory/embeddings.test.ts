import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Memories, openMemories } from '../../src/edge/memory/memories.ts';
import { searchByMeaning } from '../../src/edge/memory/search-by-meaning.ts';
import { openEmbedder, providerEmbedder } from '../../src/edge/models/embed.ts';
import { ownDesk } from '../cli/kit.ts';

/** A server of embeddings: one axis for food, one for machines, and what it was asked. */
interface EmbeddingServer {
  readonly url: string;
  readonly asked: string[][];
  answer: 'well' | 'refuse' | 'babble' | 'too few';
  close(): Promise<void>;
}

const vectorOf = (text: string): number[] => [
  /bread|eat|dinner|bakery|hungry/i.test(text) ? 1 : 0.1,
  /engine|oil|car|garage/i.test(text) ? 1 : 0.1,
];

async function embeddingServer(): Promise<EmbeddingServer> {
  const asked: string[][] = [];
  const server = createServer((incoming, response) => {
    let body = '';
    incoming.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    incoming.on('end', () => {
      const { input } = JSON.parse(body) as { input: string | string[] };
      const texts = typeof input === 'string' ? [input] : input;
      asked.push(texts);
      response.writeHead(one.answer === 'refuse' ? 503 : 200, { 'content-type': 'application/json' });
      const given = one.answer === 'too few' ? texts.slice(1) : texts;
      const data = given.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
      const usage = { prompt_tokens: 1, total_tokens: 1 };
      response.end(
        one.answer === 'babble' ? 'meow' : JSON.stringify({ object: 'list', model: 'm', data, usage }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const one: EmbeddingServer = {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    answer: 'well',
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return one;
}

let server: EmbeddingServer;
beforeEach(async () => {
  server = await embeddingServer();
});
afterEach(() => server.close());

function holding(): Memories {
  const folder = mkdtempSync(join(tmpdir(), 'tireless-embeddings-'));
  const memories = openMemories(join(folder, 'memory.db'), { redact: (text) => text, at: () => 1_000 });
  onTestFinished(() => {
    memories.close();
    rmSync(folder, { recursive: true, force: true });
  });
  memories.add([
    { id: 'garage', text: 'The place on the corner: the place for a car, a good place.', at: 1 },
    {
      id: 'bakery',
      text: 'There is a bakery with a small place to sit down on the corner of the old street.',
      at: 1,
    },
    { id: 'other', text: 'Nobody knows the corner.', at: 1 },
  ]);
  return memories;
}
const embedder = () => providerEmbedder('ollama:nomic-embed-text', { env: {}, baseUrl: server.url });
const query = 'a place at the corner for dinner';
const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id);

describe('embeddings of a provider', () => {
  it('put what was found by its words in order by meaning, and say so', async () => {
    const memories = holding();
    expect(ids(memories.search(query))[0]).toBe('garage');
    const found = await searchByMeaning(memories, embedder(), query);
    expect(found[0]?.id).toBe('bakery');
    expect(found[0]?.why).toMatch(/matched .*meaning \d\.\d+, words \d\.\d+ of the best/);
  });

  it('are made once for each memory', async () => {
    const memories = holding();
    await searchByMeaning(memories, embedder(), query);
    await searchByMeaning(memories, embedder(), 'another corner');
    expect(server.asked.map((texts) => texts.length)).toEqual([4, 1]);
  });

  it('never take the best by words from the answers', async () => {
    const found = await searchByMeaning(holding(), embedder(), query, { limit: 2 });
    expect(ids(found)).toEqual(['bakery', 'garage']);
  });

  it.each(['refuse', 'babble', 'too few'] as const)(
    'that %s leave the answers as their words have it',
    async (how) => {
      const memories = holding();
      server.answer = how;
      const found = await searchByMeaning(memories, embedder(), query);
      expect(ids(found)).toEqual(ids(memories.search(query)));
      expect(found[0]?.why).toContain('without meaning: ');
    },
  );

  it('are asked for by nobody who did not name a model', async () => {
    const memories = holding();
    expect(openEmbedder({}, {})).toBeUndefined();
    expect(await searchByMeaning(memories, undefined, query)).toEqual(memories.search(query));
    expect(server.asked).toEqual([]);
  });

  it('serve the command when the config names a model, and not the file of a stranger', {
    timeout: 60_000,
  }, async () => {
    const desk = ownDesk();
    await desk.json('memory', 'add', 'The place on the corner is a place for a car');
    await desk.json(
      'memory',
      'add',
      'A bakery stands at the corner, with a place to sit and a view of the street',
    );
    const settings = `memory:\n  embeddings: ollama:nomic\n  embeddingsBaseUrl: ${server.url}\n`;
    const asks = () => desk.json<{ results: { text: string }[] }>('memory', 'search', query);
    const write = (folder: string) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'config.yaml'), settings);
    };
    write(join(desk.workspace, '.tireless'));
    await asks();
    expect(server.asked).toEqual([]);
    write(join(desk.folder, '.config', 'tireless'));
    expect((await asks()).results[0]?.text).toContain('bakery');
  });
});
