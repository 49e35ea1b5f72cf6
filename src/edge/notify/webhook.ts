import { escapeMarkup, type Note } from './desktop.ts';

/** A channel did not take a notification. The message names the host at most: the rest of such an address is a secret. */
export class NotifyError extends Error {
  override readonly name = 'NotifyError';
}

/** What a generic webhook gets. */
export function webhookBody({ key, title, text, run, links }: Note): string {
  return JSON.stringify({ from: 'tireless', key, run, title, text, links });
}

/** What an incoming webhook of Slack, or of anything shaped like it, gets. */
export function slackBody({ title, text, run, links }: Note): string {
  const answers = links
    ? `\n<${escapeMarkup(links.approve)}|Approve> · <${escapeMarkup(links.deny)}|Deny>`
    : '';
  const lines = [`*${escapeMarkup(title)}*`, escapeMarkup(text), `_${escapeMarkup(run)}_`];
  return JSON.stringify({ text: lines.join('\n') + answers });
}

/** Posts once, within `timeoutMs`, following no redirect to somewhere else. */
export async function postJson(url: string, body: string, timeoutMs: number): Promise<void> {
  const host = URL.canParse(url) ? new URL(url).host : 'an address that is none';
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError';
    throw new NotifyError(
      late ? `${host} did not answer within ${timeoutMs} ms` : `${host} cannot be reached`,
    );
  }
  await response.body?.cancel();
  if (!response.ok) throw new NotifyError(`${host} answered ${response.status}`);
}
