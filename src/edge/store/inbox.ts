import type { Engine } from './engine.ts';
import { unknownRun } from './refusals.ts';
import type { InboxText, Requests } from './requests.ts';

const orderDigits = 16;
const chanceBytes = 4;
/** The time in ms, and this many messages in one of them before the next is borrowed. */
const perMs = 0x1_0000n;

/** Ids sort in the order of the commits, whatever the clocks of the posting processes say. */
export function post(engine: Engine, { run, event, at }: Requests['post']['in']): string {
  const { changes } = engine.sql('UPDATE run SET touched = touched + 1 WHERE id = ?').run(run);
  if (Number(changes) === 0) throw unknownRun(run, engine.path);
  const last = engine.sql('SELECT id FROM inbox WHERE run = ? ORDER BY id DESC LIMIT 1').get(run)?.id;
  const chance = process.getBuiltinModule('node:crypto').randomBytes(chanceBytes);
  const id = `${inboxOrder(at, last === undefined ? null : String(last))}${chance.toString('hex')}`;
  engine.sql('INSERT INTO inbox (run, id, at, event) VALUES (?, ?, ?, ?)').run(run, id, at, event);
  return id;
}

/** The sorting part of an id: later than `last`, and as late as `at` when that is later still. */
export function inboxOrder(at: number, last: string | null): string {
  const byTime = BigInt(Math.max(0, Math.floor(at))) * perMs;
  const taken = last !== null && /^[0-9a-f]{16}/.test(last) ? BigInt(`0x${last.slice(0, orderDigits)}`) : -1n;
  return (byTime > taken ? byTime : taken + 1n).toString(16).padStart(orderDigits, '0');
}

export function inbox(engine: Engine, { run }: Requests['inbox']['in']): InboxText[] {
  const rows = engine.sql('SELECT id, at, event FROM inbox WHERE run = ? ORDER BY id').all(run);
  return rows.map((row) => ({ id: String(row.id), at: Number(row.at), event: String(row.event) }));
}
