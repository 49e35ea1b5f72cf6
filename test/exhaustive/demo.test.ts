import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeDice } from '../../src/testkit/dice.ts';
import { ownDesk } from '../cli/kit.ts';
import { isWhole } from '../demo/story.ts';

describe('the demo', { timeout: 240_000 }, () => {
  it('is finished after it was killed twice anywhere', async () => {
    const seed = Number(process.env.DEMO_SEED ?? Date.now() % 1_000_000);
    const dice = makeDice(seed);
    const at = [dice.between(2, 45), dice.between(46, 95)];
    const desk = ownDesk();
    const dir = join(desk.folder, 'shop');
    let args = ['demo', '--dir', dir, '--yes', '--foreground', '--pace', '20'];
    for (const seq of at) {
      const running = desk.start(args);
      const view = await desk.seen((one) => one.seq >= seq || one.state === 'done');
      running.send('SIGKILL');
      await running.ended;
      args = ['resume', '--foreground', view.id];
    }
    const { id, state } = await desk.seen(() => true);
    const ended = state === 'done' ? { code: 0 } : await desk.tireless(['resume', '--foreground', id]);
    expect(ended, `DEMO_SEED=${seed}, killed at ${at}: ${JSON.stringify(ended)}`).toMatchObject({ code: 0 });
    await isWhole(desk, dir);
  });
});
