import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text as streamText } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { endTree, type StartedChild, startChild } from '../../../src/edge/agents/shared/process.ts';
import { type Living, livingTree, stillLives } from '../../../src/edge/agents/shared/process-tree.ts';
import { processStart } from '../../../src/edge/lock.ts';

const env = { PATH: process.env.PATH, LANG: 'C' };
const cwd = import.meta.dirname;
const started: StartedChild[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) await child.end(0);
});

/** Starts a shell script and waits until `count` processes of it are running. */
async function shell(script: string, count = 1): Promise<StartedChild> {
  const child = await startChild({ command: ['sh', '-c', script], cwd, env }, async () => {});
  started.push(child);
  await expect.poll(() => treeOf(child).length).toBeGreaterThanOrEqual(count);
  return child;
}
/** With its mark, as long as the child itself lives to tell it. */
const treeOf = ({ pid }: StartedChild) => livingTree({ pid, start: processStart(pid), mark: markOf(pid) });

function markOf(pid: number): string | undefined {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return entries.find((entry) => entry.startsWith('TIRELESS_CHILD='));
}

describe('a child process', () => {
  it('is recorded before anybody can use it, and leads a group of its own', async () => {
    const order: string[] = [];
    const child = await startChild({ command: ['cat'], cwd, env }, async (pid) => {
      order.push(`recorded ${pid}`);
    });
    started.push(child);
    order.push('started');
    expect(order).toEqual([`recorded ${child.pid}`, 'started']);
    expect(treeOf(child)).toMatchObject([{ pid: child.pid, group: child.pid, parent: process.pid }]);
  });

  it('is ended when it cannot be recorded', async () => {
    let pid = 0;
    const recorded = async (id: number) => {
      pid = id;
      throw new Error('the disk is full');
    };
    await expect(startChild({ command: ['cat'], cwd, env }, recorded)).rejects.toThrow('the disk is full');
    expect(processStart(pid)).toBeNull();
  });

  it('sees the environment it was given, its mark, and nothing else', async () => {
    const child = await startChild({ command: ['env'], cwd, env }, async () => {});
    started.push(child);
    const text = await streamText(child.streams.stdout);
    const names = text
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(names.toSorted()).toEqual(['LANG', 'PATH', 'TIRELESS_CHILD']);
  });

  it('that cannot be started is an error of the system', async () => {
    const missing = startChild({ command: ['no-such-program-here'], cwd, env }, async () => {});
    await expect(missing).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('ends with everything it started: its group, its descendants, and what has left both', async () => {
    const child = await shell('env -i sleep 61 & env -i setsid sleep 62 & (setsid sleep 63 &); wait', 4);
    const isStray = (one: Living, _at: number, all: Living[]) =>
      one.pid !== child.pid && one.group !== child.pid && !all.some(({ pid }) => pid === one.parent);
    await expect.poll(() => treeOf(child).filter(isStray).length).toBe(1);
    await expect.poll(() => treeOf(child).length).toBe(4);
    const before = treeOf(child);
    expect(await child.end(2_000)).toEqual([]);
    expect(before.filter(stillLives)).toEqual([]);
    expect(await child.exited).toEqual({ code: null, signal: 'SIGTERM' });
  });

  it('that ignores the request to end is made to', async () => {
    const child = await shell("trap '' TERM; sleep 67 & wait; wait", 2);
    expect(await child.end(100)).toEqual([]);
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('that died leaves nothing behind when it is ended after its death', async () => {
    const child = await shell('setsid sleep 64 & env -i sleep 65 & wait', 3);
    const before = treeOf(child);
    process.kill(child.pid, 'SIGKILL');
    await child.exited;
    expect(before.filter(stillLives).length).toBeGreaterThanOrEqual(2);
    expect(await child.end(0)).toEqual([]);
    expect(before.filter(stillLives)).toEqual([]);
  });
});

describe('ending a tree', () => {
  it('never touches a process that only has the same id', async () => {
    const innocent = spawn('sleep', ['66'], { detached: true, stdio: 'ignore' });
    const { pid = 0 } = innocent;
    expect(await endTree({ pid, start: 'another start' }, 0)).toEqual([]);
    expect(processStart(pid)).not.toBeNull();
    expect(await endTree({ pid, start: processStart(pid) }, 0)).toEqual([]);
    expect(processStart(pid)).toBeNull();
  });
});
