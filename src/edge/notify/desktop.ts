import { spawn } from 'node:child_process';
import type { Env } from '../home.ts';
import type { AnswerLinks } from './links.ts';

/** A notification as every channel gets it: short, plain, and without secrets. */
export interface Note {
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly run: string;
  readonly links?: AnswerLinks;
}

/** The program that shows a notification on this desktop; undefined where nobody could see it. Texts are arguments, never part of a script. */
export function desktopCommand(
  note: Pick<Note, 'title' | 'text'>,
  platform: NodeJS.Platform,
  env: Env,
): readonly [program: string, ...args: string[]] | undefined {
  if (platform === 'darwin') {
    const script = [
      'on run argv',
      'display notification (item 2 of argv) with title (item 1 of argv)',
      'end run',
    ];
    return ['osascript', ...script.flatMap((line) => ['-e', line]), note.title, note.text];
  }
  const hasDesktop = env.DISPLAY || env.WAYLAND_DISPLAY || env.DBUS_SESSION_BUS_ADDRESS;
  if (platform !== 'linux' || !hasDesktop) return undefined;
  // Notification servers read the text, not the title, as markup.
  return ['notify-send', '--app-name=Tireless', '--', note.title, escapeMarkup(note.text)];
}

/** Shows it, or does not: a desktop without notifications is nothing to stop a run for. Says whether it was shown. */
export function notifyDesktop(
  note: Pick<Note, 'title' | 'text'>,
  timeoutMs: number,
  platform: NodeJS.Platform = process.platform,
  env: Env = process.env,
): Promise<boolean> {
  const command = desktopCommand(note, platform, env);
  if (!command) return Promise.resolve(false);
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: 'ignore',
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      env: { ...env },
    });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
