import { describe } from 'vitest';
import { approvals } from './codex/approvals.ts';
import { budgets } from './codex/budgets.ts';
import { compaction } from './codex/compaction.ts';
import { crashes } from './codex/crashes.ts';
import { failures } from './codex/failures.ts';
import { halts } from './codex/halts.ts';
import { interrupts } from './codex/interrupts.ts';
import { mission } from './codex/mission.ts';
import { ownAccord } from './codex/own-accord.ts';
import { questions } from './codex/questions.ts';
import { strangers } from './codex/strangers.ts';
import { threads } from './codex/threads.ts';
import { codex } from './kit/installed.ts';

/** The unmodified Codex against our own scripted model, through the real run loop where a run is meant. */
describe.skipIf(!codex)('the real Codex', () => {
  mission();
  approvals();
  questions();
  interrupts();
  budgets();
  halts();
  failures();
  compaction();
  crashes();
  threads();
  strangers();
  ownAccord();
});
