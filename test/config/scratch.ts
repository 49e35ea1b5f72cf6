import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Config, type LoadFrom, loadConfig, projectConfigFile } from '../../src/edge/config/load.ts';
import { ConfigError, type Problem } from '../../src/edge/config/problems.ts';
import { findHome, openHome, userConfigFile } from '../../src/edge/home.ts';

export const noon = Date.parse('2031-05-01T12:00:00Z');

/** A folder of the test's own, gone when the test ends. */
export function scratchFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tireless-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Scratch {
  readonly workspace: string;
  readonly userFile: string;
  readonly projectFile: string;
  readonly from: LoadFrom;
  load(flags?: unknown): Config;
  /** What is wrong with the configuration; empty when it loads. */
  problems(flags?: unknown): readonly Problem[];
}

/** A person with a home and a workspace, and the config files given. */
export function scratch(files: { user?: string | Uint8Array; project?: string | Uint8Array } = {}): Scratch {
  const folder = scratchFolder();
  const workspace = join(folder, 'work');
  mkdirSync(workspace);
  const env = { HOME: join(folder, 'home') };
  const home = openHome(findHome(env), workspace);
  const userFile = userConfigFile(env);
  const projectFile = projectConfigFile(workspace);
  if (files.user !== undefined) write(userFile, files.user);
  if (files.project !== undefined) write(projectFile, files.project);
  const from = { home, workspace, env, nowAt: noon };
  const load = (flags?: unknown) => loadConfig({ ...from, flags });
  const problems = (flags?: unknown) => {
    try {
      load(flags);
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
  };
  return { workspace, userFile, projectFile, from, load, problems };
}

export function write(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
