import { type AskProgram, askProgram } from '../shared/ask-program.ts';

/** The version our tests use; others are assumed to work until one does not. */
export const testedVersion = '0.166.0';

/** The version in the output of `codex --version`, which may include warnings. */
export function versionIn(text: string): string | null {
  return /^codex(?:-cli)? (\d+\.\d+\.\d+\S*)\s*$/m.exec(text)?.[1] ?? null;
}

export type Login =
  | { readonly login: 'yes'; readonly how: 'ChatGPT' | 'an API key' | 'its own words' }
  | { readonly login: 'no' }
  | { readonly login: 'unknown'; readonly because: string };

/**
 * Whether Codex says it is logged in. Its answer may contain parts of a key, so none of it is passed on; its files are
 * not read.
 */
export async function codexLogin(path: string, asking: AskProgram): Promise<Login> {
  const said = await askProgram([path, 'login', 'status'], asking);
  if ('failed' in said) return { login: 'unknown', because: said.failed };
  if (/^not logged in/im.test(said.text)) return { login: 'no' };
  if (said.code !== 0)
    return { login: 'unknown', because: `\`codex login status\` ended with exit code ${said.code}` };
  const how = /chatgpt/i.test(said.text)
    ? 'ChatGPT'
    : /api key/i.test(said.text)
      ? 'an API key'
      : 'its own words';
  return { login: 'yes', how };
}
