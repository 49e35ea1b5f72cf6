import type { AgentSite, Finding } from '../kind.ts';
import { askMs, onPath, programState } from '../shared/ask-program.ts';
import { codexLogin, testedVersion, versionIn } from './installed.ts';

/** Codex on this machine: program, version, login, sandbox. Reads none of its files and shows nothing about a key. */
export async function codexFindings(
  site: Pick<AgentSite, 'env' | 'cwd'>,
  install: string,
): Promise<Finding[]> {
  const found = await programState('codex', site);
  if (found.state === 'absent')
    return [{ what: 'codex', state: 'note', says: 'not installed', fix: install }];
  if (found.state === 'broken')
    return [
      {
        what: 'codex',
        state: 'wrong',
        says: `${found.path} does not start (${found.because})`,
        fix: `reinstall it: ${install}`,
      },
    ];
  const login = await codexLogin(found.path, { ...site, timeoutMs: askMs });
  return [
    versionFinding(versionIn(found.said), found.version, found.path),
    loginFinding(login),
    ...(process.platform === 'linux' ? [sandboxFinding(onPath('bwrap', site.env))] : []),
  ];
}

function versionFinding(version: string | null, said: string, path: string): Finding {
  const says = `${said} (${path})`;
  if (version === testedVersion) return { what: 'codex', state: 'ok', says };
  return {
    what: 'codex',
    state: 'note',
    says: `${says}; we test with ${testedVersion}`,
    fix: `if something looks odd: npm install -g @openai/codex@${testedVersion}`,
  };
}

function loginFinding(login: Awaited<ReturnType<typeof codexLogin>>): Finding {
  const what = '  login';
  if (login.login === 'yes')
    return {
      what,
      state: 'ok',
      says: login.how === 'its own words' ? 'logged in' : `logged in with ${login.how}`,
    };
  if (login.login === 'unknown')
    return {
      what,
      state: 'note',
      says: `not known: ${login.because}`,
      fix: 'look yourself: codex login status',
    };
  const says = 'not logged in; only a model provider of your own in its configuration works without';
  return { what, state: 'note', says, fix: 'codex login' };
}

function sandboxFinding(bwrap: string | null): Finding {
  const what = '  sandbox';
  if (bwrap !== null) return { what, state: 'ok', says: `bubblewrap (${bwrap})` };
  return {
    what,
    state: 'note',
    says: 'no bubblewrap on the PATH: Codex uses the one it brings along; in a container without user namespaces its commands then fail',
    fix: 'install bubblewrap, or run inside a container with agent.sandbox: none',
  };
}
