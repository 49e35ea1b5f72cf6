import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { agentKinds } from '../agents/registry.ts';
import type { Env } from '../home.ts';

/** What the service starts, and with which environment. */
export interface ServicePlan {
  /** Program and arguments, each as it is. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where launchd puts what the service says. */
  readonly log: string;
}

/** Where the service of this platform is written, what stands in it, and how the platform is told about it. */
export interface ServicePlace {
  readonly kind: 'systemd' | 'launchd';
  readonly file: string;
  readonly content: string;
  readonly enable: readonly (readonly string[])[];
  readonly disable: readonly (readonly string[])[];
  readonly isEnabled: readonly string[];
  /** What else a person may want to know or do. */
  readonly hint: string;
}

/** The first line of everything we write, so that nothing of anybody else's is ever replaced. */
export const ownMark = 'Written by `tireless service install`';
const unitName = 'tireless.service';
const label = 'dev.tireless.resume';

/** What the keepers need to find their home and their agents. Secrets stay out: they belong to the person's shell. */
export function serviceEnv(env: Env): Record<string, string> {
  const ours = ['PATH', 'TIRELESS_HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'LANG'];
  const wanted = [...ours, ...agentKinds.flatMap((kind) => kind.environment)];
  return Object.fromEntries(
    wanted.flatMap((name) => {
      const value = env[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}

/** The service of this platform; null where there is none we know. */
export function servicePlace(
  platform: NodeJS.Platform,
  env: Env,
  plan: ServicePlan,
  uid: number,
): ServicePlace | null {
  const home = env.HOME || homedir();
  if (platform === 'linux') {
    const config = env.XDG_CONFIG_HOME;
    const folder = config && isAbsolute(config) ? config : join(home, '.config');
    return {
      kind: 'systemd',
      file: join(folder, 'systemd', 'user', unitName),
      content: systemdUnit(plan),
      enable: [
        ['systemctl', '--user', 'daemon-reload'],
        ['systemctl', '--user', 'enable', unitName],
      ],
      disable: [['systemctl', '--user', 'disable', unitName]],
      isEnabled: ['systemctl', '--user', 'is-enabled', unitName],
      hint: 'It starts when you log in. To have it start with the machine: loginctl enable-linger',
    };
  }
  if (platform !== 'darwin') return null;
  const file = join(home, 'Library', 'LaunchAgents', `${label}.plist`);
  return {
    kind: 'launchd',
    file,
    content: launchdPlist(plan),
    enable: [['launchctl', 'bootstrap', `gui/${uid}`, file]],
    disable: [['launchctl', 'bootout', `gui/${uid}/${label}`]],
    isEnabled: ['launchctl', 'print', `gui/${uid}/${label}`],
    hint: 'It starts when you log in.',
  };
}

/** Starts keepers once and leaves them running: stopping the unit must not end the runs. */
function systemdUnit({ command, env }: ServicePlan): string {
  const lines = [
    `# ${ownMark}. Remove it with: tireless service uninstall`,
    '[Unit]',
    'Description=Tireless: goes on with runs after a restart of the machine',
    '',
    '[Service]',
    'Type=oneshot',
    'RemainAfterExit=yes',
    'KillMode=process',
    ...Object.entries(env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    `ExecStart=${command.map((word) => quoted(word).replaceAll('$', '$$$$')).join(' ')}`,
    '',
    '[Install]',
    'WantedBy=default.target',
  ];
  return `${lines.join('\n')}\n`;
}

/** A word as systemd reads it back unchanged: its specifiers and escapes are taken literally. */
function quoted(word: string): string {
  const escaped = word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%');
  return `"${escaped.replaceAll('\n', '\\n')}"`;
}

function launchdPlist({ command, env, log }: ServicePlan): string {
  const words = (list: readonly string[]): string =>
    list.map((word) => `    <string>${xml(word)}</string>`).join('\n');
  const pairs = Object.entries(env)
    .map(([name, value]) => `    <key>${xml(name)}</key>\n    <string>${xml(value)}</string>`)
    .join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${ownMark}. Remove it with: tireless service uninstall -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${label}</string>
  <key>ProgramArguments</key>
  <array>
${words(command)}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${pairs}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>ProcessType</key>
  <string>Background</string>
  <key>StandardOutPath</key>
  <string>${xml(log)}</string>
  <key>StandardErrorPath</key>
  <string>${xml(log)}</string>
</dict>
</plist>
`;
}

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
