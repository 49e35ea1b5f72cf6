import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { RunView } from '../../../contract/index.ts';
import type { Report } from '../../../core/report/index.ts';
import { replaceFile } from '../../../edge/atomic-file.ts';
import { WorkspaceError } from '../../../edge/workspace/errors.ts';
import { type CompareTrees, reportOfRun } from '../../report/make.ts';
import { type Cli, CliError, runArgument, runFor } from '../cli.ts';
import { tildePath } from '../format.ts';
import type { Terminal } from '../terminal.ts';

type Form = 'text' | 'md' | 'html' | 'json';

interface ReportFlags {
  readonly md?: boolean;
  readonly html?: boolean;
  readonly json?: boolean;
  readonly output?: string;
  readonly public?: boolean;
  readonly open?: 'yes' | 'no';
}

export function define(command: Command, cli: Cli): void {
  command
    .argument(...runArgument)
    .option('--md', 'as Markdown')
    .option('--html', 'as a single HTML file')
    .option('--json', 'as JSON')
    .option(
      '-o, --output <file>',
      'write to this file; its extension (.html, .md, .json, .txt) sets the format',
    )
    .option('--public', 'safe to publish: no texts, paths or names, only counts, rules and digests')
    .addOption(
      new Option(
        '--open <when>',
        'show the HTML in a browser; default: yes when it is not written to a file',
      ).choices(['yes', 'no']),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  tireless report\n  tireless report --html\n  tireless report --public -o report.html\n  tireless report --md | gh issue comment 12 --body-file -',
    )
    .action((wanted: string | undefined, flags: ReportFlags) => showReport(cli, wanted, flags));
}

export async function showReport(cli: Cli, wanted: string | undefined, flags: ReportFlags): Promise<void> {
  const form = formOf(flags);
  const report = await cli.withStore(async (store) => {
    const view = await runFor(cli, store, wanted);
    const compare = comparing(cli, view);
    return reportOfRun(store, view.id, { isPublic: flags.public === true, compare });
  });
  await deliver(cli, report, form, flags);
}

const formOfExtension: Readonly<Record<string, Form>> = {
  '.html': 'html',
  '.htm': 'html',
  '.md': 'md',
  '.markdown': 'md',
  '.json': 'json',
  '.txt': 'text',
};

function formOf(flags: ReportFlags): Form {
  const asked: Form[] = [
    ...(flags.md === true ? ['md' as const] : []),
    ...(flags.html === true ? ['html' as const] : []),
    ...(flags.json === true ? ['json' as const] : []),
  ];
  if (asked.length > 1) throw new CliError('Choose one of --md, --html and --json.');
  if (asked[0] !== undefined) return asked[0];
  if (flags.output === undefined) return 'text';
  const form = formOfExtension[extname(flags.output).toLowerCase()];
  if (form === undefined)
    throw new CliError(
      `${flags.output} has no known extension. Use .html, .md, .json or .txt, or add --html, --md or --json.`,
    );
  return form;
}

/** Compares trees of the run's workspace as long as the folder and its trees are still there. */
function comparing(cli: Cli, view: RunView): CompareTrees {
  return async (from, to) => {
    if (from === to) return { files: [], paths: 0 };
    const { workspaceAt } = await import('../turns.ts');
    try {
      const { changes, paths } = await (await workspaceAt(cli, view.workspace)).diff(from, to);
      return { files: changes, paths };
    } catch (error) {
      // A folder that moved away takes its file list with it; the rest of the report stands.
      if (error instanceof WorkspaceError) return null;
      throw error;
    }
  };
}

const plain = { paint: (_style: unknown, text: string): string => text };

async function rendered(report: Report, form: Form, terminal: Terminal): Promise<string> {
  switch (form) {
    case 'html':
      return (await import('../../report/html.ts')).htmlReport(report);
    case 'md':
      return (await import('../../report/markdown.ts')).markdownReport(report);
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`;
    case 'text':
      return `${(await import('../../report/terminal.ts')).terminalReport(report, terminal)}\n`;
  }
}

async function deliver(cli: Cli, report: Report, form: Form, flags: ReportFlags): Promise<void> {
  const { terminal, home } = cli;
  const toFile = flags.output !== undefined;
  const toBrowser = form === 'html' && !toFile && terminal.isInteractive;
  if (!toFile && !toBrowser) {
    terminal.out((await rendered(report, form, terminal)).trimEnd());
    return;
  }
  const file = toFile
    ? resolve(terminal.cwd, flags.output ?? '')
    : join(home.runFolder(report.run), report.isPublic ? 'report-public.html' : 'report.html');
  refusePlace(file);
  await replaceFile(file, await rendered(report, form, { ...terminal, ...plain }));
  const isOpening = form === 'html' && (flags.open ?? (toBrowser ? 'yes' : 'no')) === 'yes';
  const opened = isOpening && openFile(file, terminal);
  terminal.out(`${opened ? 'Opened' : 'Wrote'} ${tildePath(file, terminal.env.HOME)}`);
}

function refusePlace(file: string): void {
  const folder = statSync(dirname(file), { throwIfNoEntry: false });
  if (folder?.isDirectory() !== true) throw new CliError(`The folder ${dirname(file)} does not exist.`);
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new CliError(`${file} is a folder; name a file in it.`);
}

/** Hands a file to whatever this desktop shows such files with. False where there is no desktop. */
function openFile(file: string, { env }: Terminal): boolean {
  const isMac = process.platform === 'darwin';
  const hasDesktop = isMac || (env.DISPLAY ?? env.WAYLAND_DISPLAY) !== undefined;
  if (!hasDesktop || process.platform === 'win32') return false;
  const child = spawn(isMac ? 'open' : 'xdg-open', [file], { stdio: 'ignore', detached: true, env });
  child.once('error', () => undefined); // the path was printed: it can be opened by hand
  child.unref();
  return true;
}
