import { describe, expect, it } from 'vitest';
import { type Block, flat } from '../../src/app/report/document.ts';
import { documentOf } from '../../src/app/report/document-of.ts';
import { htmlReport } from '../../src/app/report/html.ts';
import { markdownReport } from '../../src/app/report/markdown.ts';
import { terminalReport } from '../../src/app/report/terminal.ts';
import type { Entry } from '../../src/contract/index.ts';
import { publicReport, reportOf } from '../../src/core/report/index.ts';
import { hostile, night, teller } from './night.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const plain = (width: number) => ({
  env: {},
  width: () => width,
  paint: (_style: unknown, text: string) => text,
});
const report = reportOf(night(`${hostile}\n${hostile}`).entries);

/** The same ledger with a word in front of every text that somebody wrote. */
function marked(entries: readonly Entry[], mark: string): Entry[] {
  const texts = new Set([
    'text',
    'because',
    'label',
    'command',
    'source',
    'workspace',
    'by',
    'message',
    'sample',
  ]);
  const walk = (value: unknown, key: string, under: string): unknown => {
    if (typeof value === 'string') {
      const isName = key === 'name' && under !== 'agent';
      const isLogin = ['version', 'login', 'sandbox', 'current', 'host'].includes(key);
      return texts.has(key) || isName || isLogin ? `${mark} ${value}` : value;
    }
    if (Array.isArray(value)) return value.map((one) => walk(one, key, under));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, walk(v, k, key)]));
  };
  return entries.map((entry) => walk(entry, '', '') as Entry);
}

/** Every text of a block that no form may leave out or cut. */
function textsOf(block: Block): readonly string[] {
  const words = (lines: Parameters<typeof flat>[0][]): string[] =>
    lines
      .flatMap((line) => flat(line).map(({ text }) => text))
      .filter((text) => /^[\w ,:-]{1,60}$/.test(text));
  switch (block.is) {
    case 'text':
      return words([block.line]);
    case 'list':
      return words(block.items.map(({ line }) => line));
    case 'facts':
      return words(block.rows.flat());
    case 'table':
      return words(block.rows.flat());
    case 'figures':
      return block.items.flatMap(({ value, note }) => words([value, note]));
    case 'counts':
      return block.items.flatMap(({ name }) => words([name]));
    case 'timeline':
      return block.kinds.map(({ name }) => name);
    case 'heading':
    case 'command':
      return words([block.text]);
    default:
      return [];
  }
}

describe('every form of the report', () => {
  const told = reportOf(night().entries);
  const { sections } = documentOf(told);

  it.each([
    ['HTML', htmlReport(told), (_: Block) => true],
    ['Markdown', markdownReport(told), (_: Block) => true],
    [
      'terminal',
      terminalReport(told, plain(400)),
      ({ is, isDetail }: Block) => isDetail !== true && is !== 'fold',
    ],
  ])('says what the sections say: %s', (_, page, isShown) => {
    const missing = sections.flatMap(({ title = '', blocks }) => {
      const shown = blocks.filter(isShown);
      const isTerminal = page.startsWith('●');
      const texts = shown.flatMap((block) => (isTerminal && block.is === 'table' ? [] : textsOf(block)));
      return [shown.length === 0 ? '' : title, ...texts].filter((text) => !page.includes(text));
    });
    expect(missing).toEqual([]);
    expect(sections.flatMap(({ blocks }) => blocks.flatMap(textsOf)).length).toBeGreaterThan(200);
  });
});

describe('the HTML report', () => {
  const page = htmlReport(report);

  it('is one file that loads nothing and runs nothing', () => {
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'`);
    expect(page).not.toMatch(/<script|<link|<iframe|<object|<embed|<form|@import|url\(/i);
    const tags = page.replaceAll(/<style>.*?<\/style>/gs, '').match(/<[a-z!/][^>]*>/gi) ?? [];
    const attributes = tags.join(' ');
    expect(attributes).not.toMatch(/\s(?:on\w+|href|src|srcset|action|xlink:href|background)\s*=/i);
  });

  it('shows what an agent wrote as text, whatever it looks like', () => {
    expect(page).toContain(
      '&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt; &quot;quoted&quot; &#39;single&#39;',
    );
    expect(page).not.toContain('<img');
    expect(steering.test(page)).toBe(false);
  });

  it('closes every element it opens', () => {
    const open: string[] = [];
    const body = page.replaceAll(/<style>.*?<\/style>/gs, '').replace('<!doctype html>', '');
    for (const [, close, name = '', rest = ''] of body.matchAll(/<(\/?)([a-z][a-z0-9]*)([^>]*)>/g)) {
      if (['meta', 'br'].includes(name) || rest.endsWith('/')) continue;
      if (close === '') open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });

  it('can be read aloud: a language, headings in order, and a name and description for each drawing', () => {
    expect(page).toContain('<html lang="en">');
    expect(page.match(/<h1>/g)).toHaveLength(1);
    const drawings = page.match(/<svg[^>]*>/g) ?? [];
    expect(drawings).toHaveLength(4);
    for (const drawing of drawings) expect(drawing).toMatch(/role="img" aria-label/);
    expect(page.match(/<desc id="[a-z]+-d">[^<]{20,}<\/desc>/g)).toHaveLength(3);
    expect(page).not.toMatch(/<th>/);
  });

  it('opens with what was denied, then the certificate, then what was asked', () => {
    const places = [
      'denied because nobody answered',
      'Certificate of completion',
      'What was asked',
      'How it went',
    ];
    const found = places.map((place) => page.indexOf(place));
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(found[0]).toBeGreaterThan(0);
  });

  it('folds long texts', () => {
    const long = 'word '.repeat(2_000);
    const told = teller({ mission: long });
    told.turn({ message: long });
    const shown = htmlReport(reportOf(told.entries));
    const visible = shown
      .replaceAll(/<details(?! open)[^>]*>.*?<\/details>/gs, '')
      .replaceAll(/<[^>]*>/g, '');
    expect(shown).toContain('the whole mission (10,000 characters)');
    expect(visible.includes('word '.repeat(100))).toBe(false);
  });
});

describe('the Markdown report', () => {
  const page = markdownReport(report);
  /** What stands outside code blocks. */
  const prose = (text: string): string => {
    const lines: string[] = [];
    let fence = '';
    for (const line of text.split('\n')) {
      const ticks = /^(`{3,})/.exec(line)?.[1] ?? '';
      if (fence === '' && ticks !== '') fence = ticks;
      else if (fence !== '' && line === fence) fence = '';
      else if (fence === '') lines.push(line);
    }
    expect(fence).toBe('');
    return lines.join('\n');
  };

  it('lets no text become markup, a link or a mention', () => {
    const outside = prose(page).replaceAll(/`[^`\n]*`/g, '');
    expect(outside.replaceAll(/<\/?(?:details|summary)>/g, '')).not.toMatch(/<[a-z/]/i);
    expect(outside).not.toMatch(/[^\\]\[link\]\(/);
    expect(outside).not.toContain('https://');
    expect(outside).not.toMatch(/@\w/);
  });

  it('keeps every table whole', () => {
    for (const block of prose(page).split('\n\n')) {
      const rows = block.split('\n').filter((line) => line.startsWith('|'));
      const cells = rows.map((row) => row.replaceAll('\\|', '').split('|').length);
      expect(new Set(cells).size).toBeLessThanOrEqual(1);
    }
  });
});

describe('the terminal report', () => {
  it.each([40, 72, 100, 120])('fits into %i columns and lets no text steer the terminal', (width) => {
    const text = terminalReport(report, plain(width));
    expect(steering.test(text)).toBe(false);
    const tooWide = text.split('\n').filter((line) => line.length > width);
    expect(tooWide.filter((line) => !/tireless |policy version/.test(line))).toEqual([]);
  });

  it('is plain without colours and says the same with them', () => {
    const coloured = terminalReport(report, {
      ...plain(100),
      paint: (_style, text) => `\u001b[1m${text}\u001b[0m`,
    });
    expect(coloured.replaceAll('\u001b[1m', '').replaceAll('\u001b[0m', '')).toBe(
      terminalReport(report, plain(100)),
    );
  });
});

describe('a public report', () => {
  const mark = 'kanarienvogel';
  const { entries } = night();
  const open = reportOf(marked(entries, mark));
  const shown = publicReport({
    ...open,
    changes: { ...open.changes, paths: 1, files: [{ path: mark, status: 'added', added: 3, removed: 0 }] },
    chain: { ok: false, damage: [mark] },
  });

  it('holds no text, path or name in any form', () => {
    expect(JSON.stringify(open).split(mark).length).toBeGreaterThan(60);
    for (const text of [
      JSON.stringify(shown),
      htmlReport(shown),
      markdownReport(shown),
      terminalReport(shown, plain(100)),
    ])
      expect(text.slice(Math.max(0, text.indexOf(mark) - 80), text.indexOf(mark) + 40)).not.toContain(mark);
  });

  it('holds no string that is not a name of ours, a number of a check, a digest or the id of the run', () => {
    const kinds = /^(?:|[a-z][a-zA-Z0-9:-]{0,40}|check \d+|a person|[0-9a-f]{40}|[0-9a-f]{64})$/;
    expect(stringsIn(shown).filter((text) => !kinds.test(text) && text !== shown.run)).toEqual([]);
  });

  it('keeps counts, rules, times and digests', () => {
    expect(shown.spent).toEqual(open.spent);
    expect(shown.rules).toEqual(open.rules);
    expect(shown.turns.shown.map((turn) => turn.tokens)).toEqual(open.turns.shown.map((turn) => turn.tokens));
    expect(shown.certificate?.checks[0]).toMatchObject({ name: 'check 1', exitCode: 0, command: '' });
    expect(shown.certificate?.checks[0]?.outputDigest).toBe(open.certificate?.checks[0]?.outputDigest);
    expect(htmlReport(shown)).toContain('Done, proven');
  });
});

const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : [];
