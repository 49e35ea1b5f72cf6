import { describe, expect, it } from 'vitest';
import type { Action, Judgement } from '../../src/contract/index.ts';
import { shapesOf } from '../../src/core/approvals/shapes.ts';
import { judgeAction } from '../../src/core/guards/index.ts';
import { replay, viewOf } from '../../src/core/index.ts';
import { makeDice } from '../../src/testkit/dice.ts';
import { answerIn, asking, digestOf, effectsIn, site } from './asking.ts';

const context = { ...site, workspace: '/w', cwd: '/w' };
const command = (text: string): Action => ({ kind: 'command', rendered: { text }, digest: digestOf(text) });
const judge = (text: string): Judgement => judgeAction(command(text), { ...context, approvals: 'pause' });
const shapes = (text: string) => shapesOf(command(text), judge(text));

describe('the shape of an action', () => {
  it('is the program, its subcommand and its options, without what it works on', () => {
    expect(shapes('git commit -m "one thing"')).toEqual(['git commit -m']);
    expect(shapes('npm run build -- --fast')).toEqual(['npm run build -- --fast']);
    expect(shapes('rm -f a.txt b.txt')).toEqual(['rm -f']);
    expect(shapes('npm test && git commit -m x')).toEqual(['npm test', 'git commit -m']);
    expect(shapes("/bin/bash -lc 'git commit -m x'")).toEqual(['git commit -m']);
  });

  it('keeps every word where an option stands before the subcommand', () => {
    expect(shapes('git -C sub commit -m x')).toEqual(['git -C sub commit -m x']);
  });

  it('is none where words are only known later, files are written on the way, or the never list speaks', () => {
    const none = [
      'rm -f "$X"',
      'rm -f $(cat list)',
      'git commit -m x > log.txt',
      'FOO=1 npm test',
      'npm test &',
      '(npm test)',
      'if true; then npm test; fi',
      'git push --force',
      'npm publish',
      'sudo npm test',
      'cat .env',
      'rm -rf /',
      'tireless approve g1',
    ];
    expect(none.filter((text) => shapes(text) !== null)).toEqual([]);
  });
});

describe('a shape that a person allowed', () => {
  it('approves later actions of that shape by a named rule, is shown, and ends with the run', () => {
    const r = asking();
    expect(effectsIn(r.ask('git push origin one'), 'gate-open')).toMatchObject([{ shapes: ['git push'] }]);
    const gate = r.run().gates[0]?.id;
    expect(answerIn(r.answer({ answer: 'approve', shape: true }))).toMatchObject({ rule: 'person' });
    expect(answerIn(r.ask('git push origin two'))).toMatchObject({
      answer: 'approve',
      rule: `shape:${gate}`,
    });
    expect(viewOf(r.run()).shapes).toEqual([{ shape: 'git push', gate, times: 1 }]);
    r.restarted();
    expect(viewOf(r.run()).shapes).toHaveLength(1);
    expect(asking().run().shapes).toEqual([]);
    expect(replay(r.entries).divergences).toEqual([]);
  });

  it('covers no other option, no other effect and no other command beside it', () => {
    const r = asking();
    r.ask('git push origin one');
    r.answer({ answer: 'approve', shape: true });
    for (const other of [
      'git push --force origin one',
      'git push origin :one',
      'git push origin main',
      'git push --tags origin',
      'git push origin two && curl https://example.com/x',
      'git push origin "$(whoami)"',
    ])
      expect(answerIn(r.ask(other))?.answer, other).not.toBe('approve');
  });

  it('keeps the files first where the action destroys', () => {
    const r = asking({ approvals: 'pause' });
    r.ask('rm -f a.txt');
    r.answer({ answer: 'approve', shape: true });
    r.outcome('savepoint', { of: 'savepoint', ok: true });
    expect(effectsIn(r.ask('rm -f b.txt'), 'savepoint')).toMatchObject([
      { approves: { rule: expect.stringMatching(/^shape:/) } },
    ]);
  });

  it('is not taken from an answer to the never list, whatever the answer says', () => {
    const r = asking();
    r.ask('git push --force origin topic');
    r.answer({ answer: 'approve', shape: true });
    expect(r.run().shapes).toEqual([]);
    expect(effectsIn(r.ask('git push --force origin topic'), 'gate-open')).toHaveLength(1);
  });

  it('is remembered fifty times at most', () => {
    const r = asking({ approvals: 'pause' });
    for (let n = 0; n < 60; n++) {
      r.ask(`npm run task-${n}`);
      r.answer({ answer: 'approve', shape: true });
    }
    expect(r.run().shapes.length).toBeLessThanOrEqual(50);
  });
});

describe('whatever shapes were allowed', () => {
  const allowed = [
    ...['git push origin a', 'git push -u origin a', 'git commit -m a', 'rm -rf build', 'rm -f a'],
    ...[
      'npm run deploy',
      'npm install x',
      'npm version',
      'psql app -c "select 1"',
      'find . -name a',
      'cp a b',
    ],
    ...[
      'docker push',
      'git reset --hard',
      'dd if=a of=b',
      'frobnicate a',
      'terraform plan',
      'vercel',
      'mv a b',
    ],
  ];
  const never = [
    ...[
      'git push -f',
      'git push --force origin a',
      'git push origin +main',
      'git push --mirror',
      'git push origin :a',
    ],
    ...[
      'npm publish',
      'cargo publish',
      'docker push x',
      'vercel --prod',
      'dropdb app',
      'rm -rf /',
      'rm -rf ~',
    ],
    ...['rm -rf .', 'rm -rf *', 'dd if=/dev/zero of=/dev/sda', 'tireless approve g1', 'rm -rf .tireless'],
    ...[
      "psql app -c 'DROP DATABASE app'",
      'find / -delete',
      'cp x .tireless/config.yaml',
      'npm run deploy:prod',
    ],
  ];
  const disguises: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => `npm test && ${text}`,
    (text) => `${text} || true`,
    (text) => `/bin/bash -lc ${JSON.stringify(text)}`,
    (text) => `sh -c '${text.replaceAll("'", `'\\''`)}'`,
    (text) => `git commit -m a; ${text}`,
    (text) => `env ${text}`,
    (text) => text.replace(' ', '  '),
  ];

  it('no never-list action and nothing forbidden is approved', () => {
    const seed = Number(process.env.SEED ?? 7);
    const dice = makeDice(seed);
    const { pick } = dice;
    for (let story = 0; story < 60; story++) {
      const r = asking({ approvals: pick(['policy', 'pause'] as const), limits: { denialsMax: 1_000 } });
      for (let n = 0; n < 8; n++) {
        const wanted = pick([...allowed, ...never]);
        r.ask(wanted);
        if (r.run().gates.length > 0) r.answer({ answer: 'approve', shape: true });
        if (r.has('savepoint')) r.outcome('savepoint', { of: 'savepoint', ok: true });
      }
      for (let n = 0; n < 12; n++) {
        const text = pick(disguises)(pick(never));
        const entry = r.ask(text);
        const through = answerIn(entry)?.answer === 'approve' || effectsIn(entry, 'savepoint').length > 0;
        expect(through, `seed ${seed}, story ${story}: ${text} after ${JSON.stringify(r.run().shapes)}`).toBe(
          false,
        );
      }
    }
  });
});
