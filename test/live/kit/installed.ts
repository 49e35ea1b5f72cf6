import { installedCodex } from './codex-home.ts';

/** How the installed Codex is started; its live tests are skipped, with a word, where it is not. */
export const codex = installedCodex();
if (!codex)
  console.warn('Codex is not installed: run `npm run agents:install codex`; its live tests are skipped');
