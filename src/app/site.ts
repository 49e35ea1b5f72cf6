import { homedir, tmpdir } from 'node:os';
import type { Site } from '../contract/index.ts';
import { type Env, realPath } from '../edge/home.ts';

/** Facts about this machine the guard needs to tell one place from another. */
export const siteHere = (env: Env, tirelessHome: string): Site => ({
  home: realPath(env.HOME ?? homedir()),
  tirelessHome: realPath(tirelessHome),
  temp: [...new Set(['/tmp', '/var/tmp', env.TMPDIR ?? tmpdir()].map(realPath))],
});
