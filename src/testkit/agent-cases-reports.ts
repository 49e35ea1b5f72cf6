import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import type { AgentSession } from '../contract/ports.ts';
import { type AgentCase, type Behaviour, type Bench, type PlannedStep, waiting } from './agent-harness.ts';

const reply: Behaviour = { do: 'reply', text: 'all done' };
const make = (file: string): Behaviour => ({ do: 'run', command: `touch ${file}` });
const because = 'the case says so';
const steps: readonly PlannedStep[] = [
  { text: 'look', status: 'done' },
  { text: 'change', status: 'active' },
  { text: 'prove', status: 'pending' },
];

export const reportCases: readonly AgentCase[] = [
  {
    sentence: 'an approved action happens and a denied one does not, and the turn goes on',
    needs: ['run', 'asks'],
    behaviours: [make('allowed'), make('denied')],
    asks: true,
    async body({ session, prompt, asked, ended, has }) {
      for (const [n, answer] of (['approve', 'deny'] as const).entries()) {
        const { dispatch, turn } = await prompt();
        const request = await asked(n);
        assert.deepEqual([request.type, request.session, request.turn], ['approval-asked', session.id, turn]);
        assert.ok(!has(n === 0 ? 'allowed' : 'denied'), 'it acted before the answer');
        await session.answer(request.request, { answer, because });
        await ended(dispatch);
      }
      assert.deepEqual([has('allowed'), has('denied')], [true, false], 'what was done');
    },
  },
  {
    sentence: 'the answer to a question reaches the agent',
    needs: ['question'],
    behaviours: [{ do: 'question', question: 'Which colour?' }],
    asks: true,
    async body({ session, prompt, asked, ended, received, told }) {
      const { dispatch } = await prompt();
      const request = await asked();
      assert.ok(request.type === 'input-asked' && request.questions[0]?.question.includes('Which colour?'));
      await session.answer(request.request, { answer: 'text', because, text: 'green' });
      const { message } = await ended(dispatch);
      const items = told('item-ended').map(({ label }) => label);
      const heard = [message?.text ?? '', ...items, ...received()].join('\n');
      assert.match(heard, /green/, 'what it was told');
    },
  },
  {
    sentence: 'usage is the sum since the session began',
    needs: ['reply'],
    behaviours: [reply, reply],
    async body({ agent, session, complete, told, until }) {
      if (agent.facts.usage === 'none') return;
      const sums = (): number[] =>
        told('usage-reported').flatMap(({ session: of, usage }) =>
          of === session.id ? [usage.totalTokens ?? usage.money ?? 0] : [],
        );
      await complete();
      const first = await until(() => sums().at(-1), 'a report of usage');
      await complete();
      await until(() => (sums().at(-1) ?? 0) > first, 'more usage after a second turn');
      assert.deepEqual(
        sums(),
        [...sums()].sort((a, b) => a - b),
        'sums never shrink',
      );
    },
  },
  {
    sentence: 'a plan is told with its steps',
    needs: ['plan'],
    behaviours: [{ do: 'plan', steps }],
    async body({ complete, told }) {
      await complete();
      const plan = told('plan-changed').at(-1);
      assert.deepEqual(plan?.steps, steps);
      assert.deepEqual([plan?.done, plan?.total], [1, 3]);
    },
  },
  {
    sentence: 'work that outlives its turn is told, and so is its end',
    needs: ['background'],
    behaviours: [{ do: 'background', command: waiting }],
    async body({ complete, pid, go, told, until }) {
      await complete();
      await pid();
      const tasks = (): number | undefined => told('background-changed').at(-1)?.tasks.length;
      await until(() => tasks() === 1, 'the running work');
      go();
      await until(() => tasks() === 0, 'the end of the work');
    },
  },
  {
    sentence: 'a request of a sub-agent comes under the root session, names it, and its answer counts',
    needs: ['subagent'],
    behaviours: [{ do: 'subagent', command: 'touch by-subagent' }],
    asks: true,
    async body({ session, prompt, asked, ended, has }) {
      const { dispatch } = await prompt();
      const request = await asked();
      assert.equal(request.session, session.id);
      assert.ok(request.subagent !== undefined, 'who asks');
      await session.answer(request.request, { answer: 'approve', because });
      await ended(dispatch);
      assert.ok(has('by-subagent'), 'what was approved happened');
    },
  },
  {
    sentence: 'what cannot be read is told as unreadable, and the conversation goes on',
    needs: ['garbage', 'reply'],
    behaviours: [{ do: 'garbage' }, reply],
    async body({ complete, told }) {
      await complete();
      assert.equal((await complete()).status, 'completed');
      assert.ok(told('unreadable').length > 0, 'nothing was told as unreadable');
    },
  },
  {
    sentence: 'a silent turn counts as working only while a command runs',
    needs: ['run', 'silence'],
    behaviours: [{ do: 'run', command: waiting }, { do: 'silence' }],
    about: 'working',
    async body({ session, prompt, pid, go, ended }) {
      const { dispatch } = await prompt();
      await pid();
      assert.equal(await session.working?.(), true, 'while a command runs');
      go();
      await ended(dispatch);
      const silent = await prompt();
      assert.equal(await session.working?.(), false, 'while nothing runs');
      await session.interrupt(silent.turn);
      await ended(silent.dispatch);
    },
  },
  {
    sentence: 'a session that changes its id says so, and goes on under the new one',
    needs: ['new-session', 'reply'],
    behaviours: [{ do: 'new-session' }, reply],
    async body({ session, complete, told }) {
      const end = await complete();
      const changed = told('session-changed');
      assert.deepEqual(
        changed.map((one) => one.session),
        [session.id],
      );
      const to = changed[0]?.to;
      assert.notEqual(to, session.id);
      assert.equal(end.session, to, 'the turn ends under the new id');
      assert.equal((await complete()).session, to, 'and so does the next');
    },
  },
  {
    sentence: 'what the session offers works: its facts claim nothing that it has no method for',
    needs: ['reply'],
    behaviours: [reply, reply, reply, reply],
    body: offers,
  },
];

async function offers(bench: Bench): Promise<void> {
  const { agent, session, complete, until, told, ended, resume } = bench;
  const claimed = Object.entries(methodsOf(session, agent.resume !== undefined)).filter(
    ([claim, isThere]) => agent.facts[claim as keyof typeof agent.facts] === true && !isThere,
  );
  assert.deepEqual(claimed, [], 'claimed and not there');
  await complete();
  if (session.review !== undefined) {
    const dispatch = randomUUID();
    await session.review(dispatch, 'Look at the work.');
    assert.match((await ended(dispatch)).message?.text ?? '', /all done/, 'the review');
  }
  if (session.compact !== undefined) {
    await session.compact();
    await until(() => told('compaction-seen').length > 0, 'compaction-seen');
    await until(() => told('turn-ended').length === told('turn-started').length, 'the end of the compaction');
  }
  if (session.renew !== undefined) {
    const { session: fresh } = await session.renew();
    assert.equal((await complete()).session, fresh, 'a turn after renewing');
  }
  if (session.fork === undefined) return;
  const fork = await session.fork();
  assert.notEqual(fork, session.id);
  await session.close();
  assert.equal((await resume(fork)).id, fork, 'the fork is a conversation of its own');
}

const methodsOf = (session: AgentSession, resumes: boolean): Readonly<Record<string, boolean>> => ({
  resumes,
  finds: session.find !== undefined,
  steers: session.steer !== undefined,
  reviews: session.review !== undefined,
  forks: session.fork !== undefined,
  compacts: session.compact !== undefined,
  renews: session.renew !== undefined,
  outlives: session.detach !== undefined,
});
