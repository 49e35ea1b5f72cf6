import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { closingLine } from '../../../src/core/index.ts';
import type { ModelRequest } from '../../../src/testkit/models/responses.ts';
import { call, type ModelStep, patch, say } from '../../../src/testkit/models/responses-steps.ts';
import { liveRun } from '../kit/live-run.ts';
import { promptsOf, turnsSeen } from '../kit/model-saw.ts';

const turnsInAll = 25;
/** In this turn the agent says it is done, and is not. */
const boastTurn = 12;
const tests = `import assert from 'node:assert/strict';
import test from 'node:test';
import * as shop from './shop.js';
for (let n = 1; n <= ${turnsInAll}; n++) test(\`item \${n}\`, () => assert.equal(shop[\`item\${n}\`]?.(), n));
`;
const shell = (id: string, cmd: string) =>
  call(id, 'exec_command', { cmd }, { usage: { input: 90, output: 10 } });

/** What the model does in its n-th turn: plan, edit, run the tests, speak. */
function turnOf(n: number): ModelStep[] {
  const plan = [
    { step: 'write the items', status: n === turnsInAll ? 'completed' : 'in_progress' },
    { step: `${n} of ${turnsInAll}`, status: 'completed' },
  ];
  const edit =
    n === 1
      ? '*** Begin Patch\n*** Update File: shop.js\n@@\n-export {};\n+export const item1 = () => 1;\n*** End Patch\n'
      : `*** Begin Patch\n*** Update File: shop.js\n@@\n export const item${n - 1} = () => ${n - 1};\n+export const item${n} = () => ${n};\n*** End Patch\n`;
  return [
    call(`plan-${n}`, 'update_plan', { plan }),
    patch(`edit-${n}`, edit),
    shell(`test-${n}`, 'node --test'),
    say(n === boastTurn || n === turnsInAll ? `Done.\n${closingLine}` : `${n} of ${turnsInAll}.`),
  ];
}

const outputOf = ({ body }: ModelRequest, callId: string): string =>
  ((body as { input?: { call_id?: string; output?: unknown }[] }).input ?? [])
    .filter((item) => item.call_id === callId && item.output !== undefined)
    .map((item) => JSON.stringify(item.output))
    .join();

export const mission = () =>
  describe('a mission of the real Codex', () => {
    it(`takes ${turnsInAll} turns of edits and failing tests, is refused once, and ends with a certificate`, async () => {
      const run = await liveRun({
        files: {
          'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
          'shop.js': 'export {};\n',
          'shop.test.js': tests,
        },
        checks: ['node --test'],
        mission: `Write the ${turnsInAll} items of the shop.`,
      });
      run.model.push(...Array.from({ length: turnsInAll }, (_, at) => turnOf(at + 1)).flat());
      const view = await run.work();
      expect(view).toMatchObject({
        state: 'done',
        cause: 'certified',
        turns: turnsInAll,
        plan: { done: 2, total: 2 },
        tokens: turnsInAll * (100 + 3 * 15),
      });

      const decisions = run.entries().flatMap(({ decision }) => (decision ? [decision] : []));
      const { certificate } = decisions.at(-1) ?? {};
      expect(certificate).toMatchObject({
        verdict: 'certified',
        claim: { via: 'closing-line' },
        fresh: true,
        altered: [],
        acceptedBy: null,
        checks: [
          { command: 'node --test', outcome: 'passed', exitCode: 0, atBaseline: 'failed', flaky: false },
        ],
      });
      expect(decisions.filter((decision) => decision.rule === 'verify-claim')).toHaveLength(2);
      expect(decisions.filter((decision) => decision.verdict === 'continue')).toHaveLength(turnsInAll);

      // What the model server saw, not what our books say: one prompt for each turn, none of them twice.
      expect(turnsSeen(run.model)).toHaveLength(turnsInAll);
      expect(run.model.requests).toHaveLength(turnsInAll * 4);
      const prompts = promptsOf(run.model);
      expect(prompts).toHaveLength(turnsInAll);
      expect(prompts.filter((prompt) => prompt.includes('## Not finished yet: node --test'))).toEqual([
        prompts[boastTurn],
      ]);
      expect(prompts[boastTurn]).toContain(`item ${turnsInAll}`);
      const last = run.model.requests.at(-1) as ModelRequest;
      expect(outputOf(last, `test-${turnsInAll - 1}`)).toMatch(/fail 1\b/);
      expect(outputOf(last, `test-${turnsInAll}`)).toMatch(/fail 0\b/);
      expect(execFileSync('node', ['--test'], { cwd: run.workspace, encoding: 'utf8' })).toMatch(/pass 25\b/);
    });
  });
