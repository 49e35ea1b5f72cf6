import { stripVTControlCharacters } from 'node:util';
import type { Settings } from '../../contract/config.ts';
import type { Notifier, Note as PortNote } from '../../contract/ports.ts';
import type { Env } from '../home.ts';
import { cutText } from '../ingest/cut.ts';
import type { Redact } from '../ingest/redact.ts';
import { type Note, notifyDesktop } from './desktop.ts';
import { answerLinks } from './links.ts';
import { NotifyError, postJson, slackBody, webhookBody } from './webhook.ts';

const titleCharsMax = 200;
const textCharsMax = 1_000;
const sendTimeoutMs = 10_000;

export interface NotifierParts {
  readonly redact: Redact;
  readonly platform?: NodeJS.Platform;
  readonly env?: Env;
  readonly timeoutMs?: number;
  /** Signs links; without it none are sent. */
  readonly key?: Uint8Array;
  readonly now?: () => number;
}

/**
 * Tells the person on every channel they chose, each within a bounded time. What leaves is the title and text alone,
 * without secrets, and links that answer where the person asked for them. Rejects with one `NotifyError` that names the webhooks that failed; a desktop never fails.
 */
export function makeNotifier(
  { desktop, webhook, slack, links }: Settings['notifications'],
  { redact, platform, env, timeoutMs = sendTimeoutMs, key: homeKey, now = Date.now }: NotifierParts,
): Notifier {
  const channels: ((note: Note) => Promise<unknown>)[] = [];
  if (desktop) channels.push((note) => notifyDesktop(note, timeoutMs, platform, env));
  if (webhook) channels.push((note) => postJson(webhook, webhookBody(note), timeoutMs));
  if (slack) channels.push((note) => postJson(slack, slackBody(note), timeoutMs));
  const linksTo = (run: string, gate: PortNote['gate']) =>
    links && homeKey && gate ? { links: answerLinks(links, { run, ...gate }, homeKey, now()) } : {};
  return async ({ key, run, title, text, gate }) => {
    const note = {
      key,
      run,
      title: plain(redact(title), titleCharsMax),
      text: plain(redact(text), textCharsMax),
      ...linksTo(run, gate),
    };
    const sent = await Promise.allSettled(channels.map((send) => send(note)));
    const failed = sent.filter((one) => one.status === 'rejected').map(({ reason }) => reason as Error);
    if (failed.length > 0) throw new NotifyError(failed.map(({ message }) => message).join('; '));
  };
}

/** Without colours, control characters and blank edges; an agent's output may hold any of them. */
function plain(text: string, charsMax: number): string {
  return cutText(
    stripVTControlCharacters(text)
      .replace(/[^\n\P{Cc}]/gu, ' ')
      .trim(),
    charsMax,
  );
}
