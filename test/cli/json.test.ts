import { type Command, Help } from 'commander';
import { describe, expect, it } from 'vitest';
import type { Cli } from '../../src/app/cli/cli.ts';
import { makeProgram } from '../../src/app/cli/program.ts';

/** What they print is for a shell, a person or an agent by nature. */
const speakOtherwise = new Set(['help', 'completion', 'mcp']);

const visible = (command: Command): readonly Command[] => new Help().visibleCommands(command);

const leaves = (command: Command): readonly Command[] =>
  visible(command).length === 0 ? [command] : visible(command).flatMap(leaves);

const nameOf = (command: Command): string =>
  command.parent === null ? '' : `${nameOf(command.parent)} ${command.name()}`.trim();

describe('every command', async () => {
  // The commands are only described, none is run.
  const commands = leaves(await makeProgram({} as Cli, () => true)).filter(
    (command) => !speakOtherwise.has(command.name()),
  );

  it.each(commands.map((command) => [nameOf(command), command] as const))('%s takes --json', (_, command) => {
    expect(command.options.map((option) => option.long)).toContain('--json');
  });

  it.each(commands.map((command) => [nameOf(command), command] as const))(
    '%s says what it does',
    (_, command) => {
      expect(command.description()).not.toBe('');
    },
  );
});
