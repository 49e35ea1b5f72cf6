import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileOnce, replaceFile } from '../../src/edge/atomic-file.ts';
import { scratchFolder } from './scratch.ts';

describe('replacing a file', () => {
  it('leaves the new content, for the owner only, and nothing beside it', async () => {
    const folder = scratchFolder();
    const file = join(folder, 'state.json');
    writeFileSync(file, 'old');
    await replaceFile(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  it('keeps the old one and cleans up when it cannot be done', async () => {
    const folder = scratchFolder();
    const file = join(folder, 'state.json');
    mkdirSync(join(file, 'in the way'), { recursive: true });
    await expect(replaceFile(file, 'new')).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(['state.json']);
    await expect(replaceFile(join(folder, 'missing', 'x'), 'new')).rejects.toThrow('ENOENT');
  });

  it('never shows a part to a reader, whoever else writes', async () => {
    const file = join(scratchFolder(), 'state.json');
    const whole = ['a', 'b'].map((letter) => letter.repeat(200_000));
    await replaceFile(file, whole[0] ?? '');
    const writing = Promise.all(Array.from({ length: 20 }, (_, n) => replaceFile(file, whole[n % 2] ?? '')));
    let over = false;
    void writing.then(() => {
      over = true;
    });
    while (!over) {
      expect(whole).toContain(readFileSync(file, 'utf8'));
      await new Promise(setImmediate);
    }
  });

  it('leaves the old or the new content when the writer is killed at any moment', async () => {
    const folder = scratchFolder();
    const file = join(folder, 'state.json');
    const script = join(folder, 'writer.mjs');
    const module = resolve(import.meta.dirname, '../../src/edge/atomic-file.ts');
    writeFileSync(
      script,
      `const { replaceFile } = await import(${JSON.stringify(module)});
       for (let n = 0; ; n++) { await replaceFile(process.argv[2], String(n % 10).repeat(300_000)); process.send(n); }`,
    );
    for (let kill = 1; kill <= 5; kill++) {
      const child = fork(script, [file], { execArgv: [] });
      for (let written = 0; written < kill; written++) await once(child, 'message');
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(readFileSync(file, 'utf8')).toMatch(/^(\d)\1{299999}$/);
    }
  });
});

describe('creating a file once', () => {
  it('has one winner, and everybody finds the winner’s content', async () => {
    const folder = scratchFolder();
    const file = join(folder, 'key');
    const won = await Promise.all(
      Array.from({ length: 20 }, (_, n) => createFileOnce(file, `content of ${n}`)),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toBe(`content of ${won.indexOf(true)}`);
    expect(readdirSync(folder)).toEqual(['key']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
