import { describe, expect, it } from 'vitest';
import { fullContext, judgeCommand } from '../../src/core/guards/index.ts';
import { corpusFile, corpusFiles, here, holds, wholeCorpus } from './corpus.ts';

describe('the guard on the corpus', { timeout: 120_000 }, () => {
  it.each(corpusFiles())('judges every command of %s as labelled', (file) => {
    const wrong = corpusFile(file)
      .map((item) => ({ item, judgement: judgeCommand(item.command, here) }))
      .filter(({ item, judgement }) => !holds(item, judgement))
      .map(
        ({ item, judgement }) =>
          `want ${item.expect}, got ${judgement.verdict}: ${item.command} (${judgement.because})`,
      );
    expect(wrong).toEqual([]);
  });

  it('stays above its bars', () => {
    const judged = wholeCorpus().map((item) => ({ item, judgement: judgeCommand(item.command, here) }));
    const share = (some: typeof judged, fits: (one: (typeof judged)[number]) => boolean) =>
      some.filter(fits).length / some.length;
    const dangerous = judged.filter(({ item }) => item.expect !== 'allow');
    const harmless = judged.filter(({ item }) => item.expect === 'allow');
    const listed = judged.filter(({ item }) => item.expect === 'never' || item.expect === 'forbid');
    const others = judged.filter(({ item }) => item.expect !== 'forbid');
    expect(dangerous.length).toBeGreaterThan(1_500);
    expect(harmless.length).toBeGreaterThan(1_500);
    expect(share(dangerous, ({ judgement }) => judgement.verdict !== 'allow')).toBeGreaterThanOrEqual(0.99);
    expect(share(harmless, ({ judgement }) => judgement.verdict === 'allow')).toBeGreaterThanOrEqual(0.95);
    expect(share(listed, ({ item, judgement }) => holds(item, judgement))).toBe(1);
    expect(
      share(others, ({ item, judgement }) => item.expect === 'allow' && judgement.verdict === 'forbid'),
    ).toBe(0);
  });

  it.each([
    ['/tmp/ws-1', '/root'],
    ['/root/project', '/root'],
    ['/Users/x/code/project', '/Users/x'],
  ])('judges the same in the workspace %s of %s', (workspace, home) => {
    const there = fullContext({ workspace, home, tirelessHome: `${home}/.local/state/tireless` });
    // These name the other machine's folders.
    const isElsewhere = /\/home\b|\.\.\/project/;
    const wrong = wholeCorpus()
      .filter(({ command }) => !isElsewhere.test(command))
      .filter((item) => !holds(item, judgeCommand(item.command, there)));
    expect(wrong.map(({ command }) => command)).toEqual([]);
  });

  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  it.each<[string, (line: string) => string]>([
    ['bash -lc', (line) => `bash -lc ${quoted(line)}`],
    ['a pipe', (line) => `{ ${line}\n} 2>&1 | tail -5`],
    ['a condition', (line) => `if [ -d src ]; then\n${line}\nfi`],
    ['a function', (line) => `main() {\n${line}\n}\nmain "$@"`],
    ['a substitution', (line) => `out=$(${line}\n)`],
  ])('judges the same inside %s', (_name, wrap) => {
    const changed = wholeCorpus().filter(
      ({ command, expect: label }) =>
        (judgeCommand(wrap(command), here).verdict === 'allow') !== (label === 'allow'),
    );
    expect(changed.map(({ command }) => command)).toEqual([]);
  });

  it('says a rule, a reason and effects for every command', () => {
    for (const { command } of wholeCorpus()) {
      const judgement = judgeCommand(command, here);
      expect(judgement.rule, command).not.toBe('');
      expect(judgement.because, command).not.toBe('');
      expect(judgement.effects, command).toBeDefined();
    }
  });
});
