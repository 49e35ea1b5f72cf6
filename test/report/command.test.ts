import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { desk } from '../service/desk.ts';
import { night, teller } from './night.ts';

const kept = async () => {
  const here = desk();
  await here.keep(night().entries);
  return here;
};

describe('tireless report', () => {
  it('tells the newest run of this folder in the terminal', async () => {
    const here = await kept();
    const { out, code } = await here.type('report');
    expect(code).toBe(0);
    expect(out).toContain('Done, proven');
    expect(out).toContain('1 action denied because nobody answered');
    expect(out).toContain('Certificate');
  });

  it('writes the form that the ending of the file names, for its owner only', async () => {
    const here = await kept();
    for (const [name, begins] of [
      ['a.html', '<!doctype html>'],
      ['a.md', '# Port the parser'],
      ['a.json', '{\n  "v": 1'],
      ['a.txt', '● Done, proven'],
    ] as const) {
      const { out } = await here.type('report', '-o', name);
      expect(out).toBe(`Wrote ${join(here.work, name)}`);
      expect(readFileSync(join(here.work, name), 'utf8').startsWith(begins)).toBe(true);
      expect(statSync(join(here.work, name)).mode & 0o777).toBe(0o600);
    }
  });

  it('prints HTML, Markdown and JSON where nobody sits at a terminal', async () => {
    const here = await kept();
    expect((await here.type('report', '--html')).out).toMatch(/^<!doctype html>/);
    expect((await here.type('report', '--md', '--public')).out).toMatch(/^# Run 20310501/);
    const json = JSON.parse((await here.type('report', '--json', '--public')).out);
    expect(json).toMatchObject({ isPublic: true, chain: { ok: true }, asked: { mission: '' } });
  });

  it.each([
    [['--md', '--html'], 'Choose one'],
    [['-o', 'report.pdf'], 'has no known extension'],
    [['-o', 'nowhere/report.md'], 'does not exist'],
    [['-o', 'folder.md'], 'is a folder'],
    [['no-such-run'], 'No run "no-such-run"'],
  ])('refuses %j and says what to do', async (args, says) => {
    const here = await kept();
    mkdirSync(join(here.work, 'folder.md'));
    const { err, code } = await here.type('report', ...args);
    expect({ err: err.includes(says), code }).toEqual({ err: true, code: 2 });
  });

  it('names the first entry that somebody changed, and tells nothing after it', async () => {
    const here = await kept();
    const db = new DatabaseSync(here.home.store);
    db.exec('DROP TRIGGER entry_never_changes');
    db.exec(`UPDATE entry SET json = replace(json, '"at":', '"at": ') WHERE seq = 30`);
    db.close();
    const report = JSON.parse((await here.type('report', '--json')).out);
    expect(report).toMatchObject({ broken: { seq: 30 }, chain: { ok: false }, ending: { entries: 29 } });
    expect((await here.type('report')).out).toContain('can be followed only up to entry 29');
  });

  it('goes without the list of files where the trees are gone, and leaves nothing in the workspace', async () => {
    const here = await kept();
    const { out, code } = await here.type('report', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out).changes).not.toHaveProperty('files');
    expect(existsSync(join(here.work, '.tireless'))).toBe(false);
  });
});

describe('tireless metrics', () => {
  it('speaks the text format: a help and a type for each name, one sample per line', async () => {
    const here = await kept();
    const lines = (await here.type('metrics')).out.split('\n');
    const names = new Set<string>();
    const told = new Set<string>();
    for (const line of lines) {
      if (line.startsWith('# HELP ')) told.add(line.split(' ')[2] ?? '');
      else if (line.startsWith('# TYPE ')) {
        expect(line).toMatch(/ (?:gauge|counter)$/);
        names.add(line.split(' ')[2] ?? '');
      } else {
        const sample = /^([a-z_]+)(?:\{(?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)*\})? -?[0-9.]+$/.exec(line);
        expect(sample?.[1], line).toBeDefined();
        expect(names).toContain(sample?.[1]);
      }
    }
    expect(told).toEqual(names);
    expect(lines).toContain('tireless_runs{state="done"} 1');
    expect(lines).toContain('tireless_turns_total 6');
    expect(lines).toContain('tireless_tokens_total 118400');
    expect(lines).toContain('tireless_decisions{verdict="stop",rule="certified"} 1');
    expect(lines).toContain('tireless_turn_failures{kind="usage-limit"} 1');
    expect(lines).toContain('tireless_answers{answer="deny",rule="gate-expired"} 1');
  });

  it('sees a run whose keeper died, and one that waits for a person', async () => {
    const here = desk();
    const told = teller();
    told.launch();
    await here.keep(told.entries);
    const { out } = await here.type('metrics');
    expect(out).toContain(`tireless_run_keeper_alive{run="${told.run().id}",agent="codex"} 0`);
    expect(out).toContain('tireless_runs{state="running"} 1');
  });

  it('gives the same figures as JSON', async () => {
    const here = await kept();
    const metrics = JSON.parse((await here.type('metrics', '--json')).out) as {
      name: string;
      samples: object[];
    }[];
    expect(metrics.find((metric) => metric.name === 'tireless_turns_total')?.samples).toEqual([
      { labels: {}, value: 6 },
    ]);
  });
});
