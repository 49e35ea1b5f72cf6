/** `npm run agents:install [names]`: puts the pinned agents of the live tests into the per-user cache. */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentName, agentCommand, agentFolder, agents, agentsCache } from './agents.ts';

/** What the live tests need today. */
const defaultNames: AgentName[] = ['codex'];
const versionTimeoutMs = 60_000;

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(agents, name));
if (unknown.length > 0) {
  console.error(`unknown agent ${unknown.join(', ')}; known: ${Object.keys(agents).join(', ')}`);
  process.exit(2);
}

for (const name of asked.length > 0 ? (asked as AgentName[]) : defaultNames) {
  const start = performance.now();
  const how = install(name);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${name} ${agents[name].version}: ${how} in ${seconds} s, ${agentFolder(name)}`);
  if (how === 'failed') process.exitCode = 1;
}

function install(name: AgentName): 'already there' | 'installed' | 'failed' {
  const folder = agentFolder(name);
  if (works(name, folder)) return 'already there';
  mkdirSync(agentsCache(), { recursive: true });
  // Beside the final place, so that the rename is atomic and nobody ever sees half an agent.
  const draft = mkdtempSync(join(agentsCache(), `.${name}-`));
  try {
    writeFileSync(join(draft, 'package.json'), '{ "private": true }\n');
    if (!npmInstall(`${agents[name].package}@${agents[name].version}`, draft) || !works(name, draft)) {
      return 'failed';
    }
    if (works(name, folder)) return 'already there'; // another process was faster
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
    return 'installed';
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function npmInstall(spec: string, prefix: string): boolean {
  const args = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--save-exact',
    '--prefix',
    prefix,
    spec,
  ];
  const npm = process.env.npm_execpath;
  const options: SpawnSyncOptions = { cwd: prefix, stdio: ['ignore', 'ignore', 'inherit'] };
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  return status === 0;
}

/** The agent starts and says the pinned version. An own home folder, so that asking leaves no trace in the person's. */
function works(name: AgentName, folder: string): boolean {
  if (!existsSync(join(folder, 'node_modules'))) return false;
  const [program, ...first] = agentCommand(name, folder);
  const home = mkdtempSync(join(agentsCache(), '.home-'));
  try {
    const { stdout, status } = spawnSync(program, [...first, '--version'], {
      encoding: 'utf8',
      timeout: versionTimeoutMs,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, HOME: home, USERPROFILE: home },
    });
    return status === 0 && stdout.includes(agents[name].version);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
