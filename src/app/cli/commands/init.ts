import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { x } from 'tinyexec';
import { z } from 'zod';
import { configFileSchema } from '../../../contract/config.ts';
import type { Check } from '../../../contract/index.ts';
import { createFileOnce } from '../../../edge/atomic-file.ts';
import { makeClock } from '../../../edge/clock.ts';
import { expectedWords } from '../../../edge/config/describe-schema.ts';
import { loadConfig, projectConfigFile } from '../../../edge/config/load.ts';
import { durationWords } from '../../../edge/config/moments.ts';
import { trustFolder } from '../../../edge/config/trust.ts';
import { openHome } from '../../../edge/home.ts';
import { openWorkspace } from '../../../edge/workspace/index.ts';
import { type Cli, CliError, print, refuseInside } from '../cli.ts';
import { tildePath } from '../format.ts';

interface InitFlags {
  readonly dir?: string;
  readonly trust?: boolean;
  readonly diff?: boolean;
  readonly json?: boolean;
}

export function define(command: Command, cli: Cli): void {
  command
    .option('-C, --dir <dir>', 'the workspace; default: this folder')
    .option('--trust', 'set the checks found here, and trust the file as it is now')
    .option('--diff', 'only show how a new file would differ from the current one')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExamples:\n  tireless init\n  tireless init --trust')
    .action(async (flags: InitFlags) => {
      await refuseInside(cli, 'init');
      const { terminal, home } = cli;
      const workspace = await openWorkspace({
        path: resolve(terminal.cwd, flags.dir ?? '.'),
        stateDir: home.dir,
        clock: makeClock(),
        env: terminal.env,
      });
      const { checks } = await workspace.detect();
      const file = projectConfigFile(workspace.path);
      const text = configText(checks, flags.trust === true);
      if (flags.diff === true) {
        terminal.out(await difference(file, text, cli));
        return;
      }
      const isWritten = await write(file, text);
      if (!isWritten && flags.trust !== true)
        throw new CliError(
          `${shown(cli, file)} already exists and was not changed.\nCompare it with a new one: tireless init --diff\nTrust it as it is: tireless init --trust`,
        );
      const loosened = flags.trust === true ? await trust(cli, workspace.path) : null;
      print(cli, flags.json, { file, written: isWritten, trusted: loosened !== null, loosened, checks }, () =>
        initWords(cli, file, checks, isWritten, loosened),
      );
    });
}

const shown = (cli: Cli, file: string): string => tildePath(file, cli.terminal.env.HOME);

/** Writes the file unless there is one. A folder that only looks like ours (a link to elsewhere) is refused. */
async function write(file: string, text: string): Promise<boolean> {
  const folder = dirname(file);
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new CliError(`${folder} is a symbolic link; replace it with a folder.`);
  if (existsSync(file)) return false;
  mkdirSync(folder, { recursive: true });
  return createFileOnce(file, text);
}

/** Trusts the file exactly as it is now, and says which settings count from here on. One that cannot be used is refused by reading it. */
async function trust({ home, terminal }: Cli, workspace: string): Promise<readonly string[]> {
  openHome(home, workspace);
  const nowAt = Date.now();
  const { project, notices } = loadConfig({ home, workspace, env: terminal.env, nowAt });
  if (project === undefined || project.trusted) return [];
  await trustFolder(home, workspace, project.digest, nowAt);
  return notices.filter((notice) => notice.file === project.file).flatMap((notice) => notice.keys);
}

function initWords(
  cli: Cli,
  file: string,
  checks: readonly Check[],
  isWritten: boolean,
  loosened: readonly string[] | null,
): string {
  const { paint } = cli.terminal;
  const found =
    checks.length === 0
      ? ['No checks found: you will be asked whether the work is done. Add one under `checks`.']
      : ['Checks found here:', ...checks.map((check) => `  ${check.command}  ${paint('dim', check.source)}`)];
  const counts = loosened?.length === 0 ? '' : ` These settings now apply: ${loosened?.join(', ')}.`;
  const next =
    loosened !== null
      ? `Trusted as it is now.${counts} Trust it again after changing it.`
      : 'Every setting is commented out, so the defaults apply. Settings that loosen them apply after: tireless init --trust';
  return [
    isWritten ? `Wrote ${shown(cli, file)}` : `${shown(cli, file)} was not changed.`,
    ...(isWritten ? found : []),
    next,
  ].join('\n');
}

/** How the file that is there and a new one differ; said in words when there is nothing to compare. */
async function difference(file: string, text: string, cli: Cli): Promise<string> {
  if (!existsSync(file))
    return `${shown(cli, file)} does not exist; tireless init would write:\n\n${text}`.trimEnd();
  const folder = mkdtempSync(join(tmpdir(), 'tireless-init-'));
  try {
    const fresh = join(folder, 'config.yaml');
    writeFileSync(fresh, text);
    const { stdout, exitCode } = await x(
      'git',
      ['diff', '--no-index', '--no-color', '--no-ext-diff', '--', file, fresh],
      { nodeOptions: { env: { ...cli.terminal.env }, cwd: folder } },
    );
    if (exitCode === 0) return `${shown(cli, file)} is identical to what tireless init would write.`;
    return stdout
      .split('\n')
      .filter((line) => !/^(?:diff|index) /.test(line))
      .join('\n')
      .trimEnd();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The config file from its own schema: every setting with its meaning and its default, switched off by `#`. Remove
 * the `#` of a setting and of the section above it to use it.
 */
function configText(checks: readonly Check[], areFixed: boolean): string {
  const sections = Object.entries(configFileSchema.shape).map(([key, field]) =>
    key === 'checks' ? checksText(checks, areFixed) : settingText(key, field as z.ZodType),
  );
  const head = [
    '# Tireless settings of this project. What is not set here comes from your own file, else from the default below.',
    '# To use a setting, remove the # in front of it and of the section above it. Reference: docs/config.md',
  ].join('\n');
  return `${[head, ...sections].join('\n\n')}\n`;
}

function settingText(key: string, field: z.ZodType): string {
  const inner = field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : field;
  if (!(inner instanceof z.ZodObject)) return lineOf(key, field, '').join('\n');
  const lines = Object.entries(inner.shape).flatMap(([name, one]) => lineOf(name, one as z.ZodType, '  '));
  return [comment(field.description), `#${key}:`, ...lines].join('\n');
}

/** A setting with a default can be switched on as it stands; one without says what it takes. */
function lineOf(key: string, field: z.ZodType, indent: string): string[] {
  const standard = z.globalRegistry.get(field)?.default;
  const words = `#${indent}${indent === '' ? ' ' : '# '}${field.description ?? ''}`;
  if (standard === undefined)
    return [words, `#${indent}${indent === '' ? ' ' : '# '}${key}: (${expectedWords(field)})`];
  const value = key.endsWith('Ms') ? durationWords(Number(standard)) : JSON.stringify(standard);
  return [words, `#${indent}${key}: ${value}`];
}

const comment = (words: string | undefined): string => `# ${words ?? ''}`;

function checksText(checks: readonly Check[], areFixed: boolean): string {
  const field = configFileSchema.shape.checks as z.ZodType;
  const off = areFixed && checks.length > 0 ? '' : '#';
  const list = checks.flatMap((check) => [
    `# ${check.source.replaceAll(/\s+/g, ' ')}`,
    `${off}  - name: ${JSON.stringify(check.name)}`,
    `${off}    command: ${JSON.stringify(check.command)}`,
    `${off}    cwd: ${JSON.stringify(check.cwd)}`,
  ]);
  const found = checks.length === 0 ? '# None found here.' : '# Found here:';
  return [
    comment(field.description),
    found,
    list.length === 0 ? '#checks: "auto"' : `${off}checks:`,
    ...list,
  ].join('\n');
}
