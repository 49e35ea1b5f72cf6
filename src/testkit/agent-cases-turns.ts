import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import type { AgentSession } from '../contract/ports.ts';
import { type AgentCase, type Behaviour, type Bench, waiting } from './agent-harness.ts';

const reply: Behaviour = { do: 'reply', text: 'all done' };
const silence: Behaviour = { do: 'silence' };
const wait: Behaviour = { do: 'run', command: waiting };
const times = (deliveries: readonly string[], text: string): number =>
  deliveries.filter((one) => one.includes(text)).length;

export const turnCases: readonly AgentCase[] = [
  {
    sentence: 'a prompt reaches the agent exactly once',
    needs: ['reply'],
    behaviours: [reply, reply],
    async body({ complete, received, session }) {
      await complete('the first prompt');
      await complete('the second prompt');
      await session.close();
      for (const text of ['the first prompt', 'the second prompt'])
        assert.equal(times(received(), text), 1, `deliveries of “${text}”`);
    },
  },
  {
    sentence: 'a turn starts once and ends once, with its dispatch, its id and the last message',
    needs: ['reply'],
    behaviours: [reply, reply],
    async body({ session, told, ended, complete }) {
      const dispatch = randomUUID();
      const { turn } = await session.turn(dispatch, 'please');
      const end = await ended(dispatch);
      await complete();
      await session.close();
      const starts = told('turn-started').filter((start) => start.dispatch === dispatch);
      const ends = told('turn-ended').filter((one) => one.dispatch === dispatch);
      assert.deepEqual([starts.length, ends.length], [1, 1], 'starts and ends of one turn');
      assert.equal(end.turn, starts[0]?.turn, 'the turn that ended is the one that started');
      if (turn !== undefined) assert.equal(turn, end.turn, 'the id `turn` resolved with');
      assert.equal(end.session, session.id);
      assert.equal(end.status, 'completed');
      assert.match(end.message?.text ?? '', /all done/, 'the last message');
    },
  },
  {
    sentence: 'an interrupt ends the turn once: right after delivery, in its middle, asked twice or too late',
    needs: ['silence', 'reply'],
    behaviours: [silence, silence, reply],
    body: interrupts,
  },
  {
    sentence: 'words for a running turn are taken or refused, never swallowed',
    needs: ['run'],
    behaviours: [wait],
    about: 'steer',
    async body({ session, prompt, pid, go, ended, received }) {
      const { turn, dispatch } = await prompt();
      const steer = async (text: string) => session.steer?.(turn, randomUUID(), text);
      await pid();
      const isTaken = await accepts(steer('words on the way'));
      go();
      await ended(dispatch);
      if (isTaken) assert.equal(times(received(), 'words on the way'), 1, 'deliveries of what it took');
      const isTakenLate = await accepts(steer('words too late'));
      assert.ok(!isTakenLate, 'it took words for a turn that is over');
    },
  },
  {
    sentence: 'find knows a turn that runs, one that ended and one that never came, also after a restart',
    needs: ['run'],
    behaviours: [wait],
    about: 'find',
    body: finds,
  },
  {
    sentence: 'a resumed session is the same conversation and takes the next prompt',
    needs: ['reply'],
    behaviours: [reply, reply],
    about: 'resume',
    async body({ session, complete, resume }) {
      await complete();
      await session.close();
      const resumed = await resume();
      assert.equal(resumed.id, session.id);
      const end = await complete('go on', resumed);
      assert.deepEqual([end.session, end.status], [session.id, 'completed']);
    },
  },
  {
    sentence: 'close ends every process, and is not told as the agent’s own end',
    needs: ['run'],
    behaviours: [wait],
    async body({ session, prompt, pid, lives, until, told }) {
      await prompt();
      const command = await pid();
      await session.close();
      await until(() => !lives(command), 'the end of the command after close');
      assert.deepEqual(told('session-ended'), []);
    },
  },
  {
    sentence: 'the agent’s death is told once, and no prompt is taken afterwards',
    needs: ['die'],
    behaviours: [{ do: 'die' }],
    async body({ session, until, told }) {
      await accepts(session.turn(randomUUID(), 'please'));
      const end = await until(() => told('session-ended')[0], 'session-ended');
      assert.ok(end.failure !== undefined, 'why it ended');
      assert.ok(!(await accepts(session.turn(randomUUID(), 'are you there?'))), 'a dead agent took a prompt');
      assert.equal(told('session-ended').length, 1);
    },
  },
  {
    sentence: 'a session that survives us goes on while nobody is attached',
    needs: ['run'],
    behaviours: [wait],
    about: 'detach',
    async body({ session, prompt, pid, lives, resume, go, ended, until }) {
      const { dispatch } = await prompt();
      const command = await pid();
      await session.detach?.();
      assert.ok(lives(command), 'its command still runs after detach');
      const again = await resume();
      go();
      if (again.find === undefined) await ended(dispatch);
      else await until(async () => (await again.find?.(dispatch))?.found === 'ended', 'the end of the turn');
    },
  },
];

async function interrupts({ session, prompt, told, until, ended, complete }: Bench): Promise<void> {
  const early = randomUUID();
  const { turn } = await session.turn(early, 'please');
  const first = turn ?? (await until(() => told('turn-started')[0], 'the start of its turn')).turn;
  await Promise.all([session.interrupt(first), session.interrupt(first)]);
  assert.notEqual((await ended(early)).status, 'completed');

  const middle = await prompt();
  await session.interrupt(middle.turn);
  assert.notEqual((await ended(middle.dispatch)).status, 'completed');

  await accepts(session.interrupt(middle.turn));
  assert.equal((await complete()).status, 'completed', 'the turn after an interrupt that came too late');
  for (const dispatch of [early, middle.dispatch])
    assert.equal(told('turn-ended').filter((end) => end.dispatch === dispatch).length, 1, 'ends of one turn');
}

async function finds({ agent, session, prompt, pid, go, ended, resume }: Bench): Promise<void> {
  const { dispatch, turn } = await prompt();
  await pid();
  assert.deepEqual(await session.find?.(dispatch), { found: 'running', turn });
  assert.deepEqual(await session.find?.(randomUUID()), { found: 'absent' });
  go();
  await ended(dispatch);
  const look = async (where: AgentSession): Promise<void> => {
    const found = await where.find?.(dispatch);
    assert.equal(found?.found, 'ended');
    assert.deepEqual([found.turn, found.status], [turn, 'completed']);
    assert.equal((await where.find?.(randomUUID()))?.found, 'absent');
  };
  await look(session);
  if (agent.resume === undefined) return;
  await session.close();
  await look(await resume());
}

/** Whether a request was accepted; a refusal is an answer too. */
const accepts = (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => true,
    () => false,
  );
