import type { StoredEntry } from '../../contract/entry.ts';
import type { Body, Child, Holder, Lease, LeaseAnswer, LeaseHeld, Snapshot } from '../../contract/ports.ts';

/** An append as it reaches the database: already text, so that it crosses a thread cheaply and is hashed as it came. */
export interface AppendInput {
  readonly run: string;
  readonly epoch: number;
  readonly fromSeq: number;
  readonly entries: readonly string[];
  /** Inbox rows heard by these entries. */
  readonly causes: readonly string[];
  readonly view: string;
  readonly bodies: readonly Body[];
  readonly snapshot: Omit<Snapshot, 'hash'> | null;
}

/** An inbox row as stored. Its event is text, because anybody may have written it. */
export interface InboxText {
  readonly id: string;
  readonly at: number;
  readonly event: string;
}

export interface ViewText {
  readonly run: string;
  readonly view: string;
}

/** Everything one can ask of the database, inline or across a thread. Time arrives with the question. */
export interface Requests {
  append: { in: AppendInput; out: null };
  read: { in: { run: string; fromSeq: number; limit: number }; out: StoredEntry[] };
  snapshot: { in: { run: string }; out: Snapshot | null };
  holder: { in: { key: string; at: number }; out: LeaseHeld | null };
  acquire: { in: { key: string; holder: Holder; at: number }; out: LeaseAnswer };
  renew: { in: { lease: Lease; at: number }; out: boolean };
  release: { in: { lease: Lease }; out: null };
  post: { in: { run: string; event: string; at: number }; out: string };
  inbox: { in: { run: string }; out: InboxText[] };
  body: { in: { digest: string }; out: string | null };
  runs: { in: null; out: ViewText[] };
  view: { in: { run: string }; out: ViewText | null };
  noteChild: { in: { run: string; child: Child }; out: null };
  children: { in: { run: string }; out: Child[] };
  forgetChild: { in: { run: string; child: Child }; out: null };
}

export type Op = keyof Requests;
type RequestOf<K extends Op> = { readonly op: K; readonly input: Requests[K]['in'] };
export type Request = { [K in Op]: RequestOf<K> }[Op];
export type Ask = <K extends Op>(op: K, input: Requests[K]['in']) => Promise<Requests[K]['out']>;
