import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeRedactor } from '../../src/edge/ingest/redact.ts';
import { desktopCommand } from '../../src/edge/notify/desktop.ts';
import { makeNotifier } from '../../src/edge/notify/notifier.ts';
import { NotifyError } from '../../src/edge/notify/webhook.ts';
import { scratchFolder } from '../config/scratch.ts';

const secret = 'hunter2hunter2';
const redact = makeRedactor({ env: { A_TOKEN: secret }, declared: [], key: new Uint8Array(32) });
const note = { key: 'k1', run: 'run-1', title: 'Needs you', text: 'Approve <b>"git push"</b> & more?' };
const silent = { desktop: false };

/** A server on loopback that keeps what it was sent. */
async function listening(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const got: { type: string | undefined; body: unknown }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      got.push({ type: request.headers['content-type'], body: JSON.parse(text) });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/${secret}`, got };
}
const ok = (_request: IncomingMessage, response: ServerResponse) => response.end('ok');

describe('a notification', () => {
  it('goes to a webhook as JSON and to Slack in its shape', async () => {
    const [plain, slack] = [await listening(ok), await listening(ok)];
    await makeNotifier({ ...silent, webhook: plain.url, slack: slack.url }, { redact })(note);
    expect(plain.got).toEqual([
      {
        type: 'application/json',
        body: { from: 'tireless', key: 'k1', run: 'run-1', title: note.title, text: note.text },
      },
    ]);
    expect(slack.got[0]?.body).toEqual({
      text: '*Needs you*\nApprove &lt;b&gt;"git push"&lt;/b&gt; &amp; more?\n_run-1_',
    });
  });

  it('never carries a secret, a colour code, or more than a glance holds', async () => {
    const { url, got } = await listening(ok);
    const text = `\x1b[31mtoken ${secret}\x1b[0m\x07\nline\t${'x'.repeat(5_000)}`;
    await makeNotifier({ ...silent, webhook: url }, { redact })({ ...note, title: secret, text });
    const body = got[0]?.body as { title: string; text: string };
    expect(JSON.stringify(got)).not.toContain(secret);
    expect(body.text).toMatch(/^token ⟦secret:\w{8}⟧ \nline x+…$/);
    expect(body.text).toHaveLength(1_000);
  });

  it.each([
    [
      'answers 500',
      (_: IncomingMessage, response: ServerResponse) => response.writeHead(500).end('no'),
      /answered 500/,
    ],
    [
      'sends us elsewhere',
      (_: IncomingMessage, response: ServerResponse) => response.writeHead(307, { location: '/x' }).end(),
      /cannot be reached/,
    ],
    ['hangs up', (request: IncomingMessage) => request.socket.destroy(), /cannot be reached/],
    ['never answers', () => {}, /did not answer within 200 ms/],
  ])('to a server that %s fails by name, without the address', async (_what, answer, message) => {
    const { url, got } = await listening(answer);
    const failure = await makeNotifier(
      { ...silent, webhook: url },
      { redact, timeoutMs: 200 },
    )(note).catch((error) => error);
    expect(failure).toBeInstanceOf(NotifyError);
    expect(failure.message).toMatch(message);
    expect(failure.message).not.toContain(secret);
    expect(got).toHaveLength(1);
  });

  it('reaches the other channels when one fails', async () => {
    const { url, got } = await listening(ok);
    const notify = makeNotifier({ ...silent, webhook: 'http://127.0.0.1:1/', slack: url }, { redact });
    await expect(notify(note)).rejects.toThrow('127.0.0.1:1 cannot be reached');
    expect(got).toHaveLength(1);
  });

  it('with no channel is nothing', async () => {
    await expect(makeNotifier(silent, { redact })(note)).resolves.toBeUndefined();
  });
});

describe('a desktop notification', () => {
  it('is a program with the texts as arguments, never as part of a script', () => {
    const mac = desktopCommand(note, 'darwin', {});
    expect(mac?.[0]).toBe('osascript');
    expect(mac?.slice(-2)).toEqual([note.title, note.text]);
    expect(mac?.slice(1, -2).join(' ')).not.toContain('git push');
    expect(desktopCommand({ title: '--help', text: 'a<b' }, 'linux', { DISPLAY: ':0' })).toEqual([
      'notify-send',
      '--app-name=Tireless',
      '--',
      '--help',
      'a&lt;b',
    ]);
  });

  it('is nothing where nobody could see it', () => {
    expect(desktopCommand(note, 'linux', {})).toBeUndefined();
    expect(desktopCommand(note, 'win32', { DISPLAY: ':0' })).toBeUndefined();
  });

  it.skipIf(process.platform === 'win32')('is shown by the program of the desktop', async () => {
    const folder = scratchFolder();
    const shown = join(folder, 'shown');
    writeFileSync(join(folder, 'notify-send'), `#!/bin/sh\nprintf '%s|' "$@" > "${shown}"\n`);
    chmodSync(join(folder, 'notify-send'), 0o755);
    const env = { PATH: `${folder}:/usr/bin:/bin`, DISPLAY: ':0' };
    await makeNotifier({ desktop: true }, { redact, platform: 'linux', env })(note);
    expect(readFileSync(shown, 'utf8')).toContain('--|Needs you|Approve &lt;b&gt;');
  });

  it.skipIf(process.platform === 'win32')(
    'never fails a run: the program is missing, fails or hangs',
    async () => {
      const folder = scratchFolder();
      const notify = makeNotifier(
        { desktop: true },
        { redact, platform: 'linux', env: { PATH: folder, DISPLAY: ':0' }, timeoutMs: 100 },
      );
      await expect(notify(note)).resolves.toBeUndefined();
      for (const script of ['exit 3', 'exec /bin/sleep 60']) {
        writeFileSync(join(folder, 'notify-send'), `#!/bin/sh\n${script}\n`);
        chmodSync(join(folder, 'notify-send'), 0o755);
        await expect(notify(note)).resolves.toBeUndefined();
      }
      expect(existsSync(join(folder, 'notify-send'))).toBe(true);
    },
  );
});
