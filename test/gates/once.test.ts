import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { notifyOnce } from '../../src/edge/notify/once.ts';

it('a person is told once, also by a later process, and again only about what did not arrive', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tireless-once-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const told: string[] = [];
  let works = false;
  const later = () =>
    notifyOnce(
      async ({ key }) => {
        if (!works) throw new Error('no network');
        told.push(key);
      },
      join(folder, 'notified'),
    );
  const note = (key: string) => ({ key, title: 't', text: 'x', run: 'r' });
  await expect(later()(note('r/g1'))).rejects.toThrow('no network');
  works = true;
  const first = later();
  await first(note('r/g1'));
  await first(note('r/g1'));
  await later()(note('r/g1'));
  await later()(note('r/g2'));
  expect(told).toEqual(['r/g1', 'r/g2']);
});
