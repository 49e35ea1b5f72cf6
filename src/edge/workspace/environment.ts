import { ecosystems } from '../../core/completion/ecosystems/registry.ts';

/** Read by the processes of a check from their environment, so that those that left the process tree are found. */
export const checkMark = 'TIRELESS_CHECK';

/**
 * What a check sees of the environment: where programs and their data lie, language and time zone. Everything else
 * stays out, and with it every key and token that a shell, an agent or a CI system exports.
 */
const passed = new Set([
  ...'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TEMP TMP SystemRoot USERPROFILE'.split(' '),
  ...'XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR SSL_CERT_FILE SSL_CERT_DIR'.split(' '),
  ...'ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR DISPLAY WAYLAND_DISPLAY'.split(' '),
  ...ecosystems.flatMap((each) => each.environment ?? []),
]);

/** Set, not inherited: no colours, nobody at the keyboard, and runners that watch or update snapshots do not. */
const fixed = { TERM: 'dumb', CI: '1', NO_COLOR: '1' } as const;

/**
 * The environment of a check. `also` names further variables that the person lets through; what the person names is
 * passed even when it looks like a secret.
 */
export function checkEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  mark: string,
  also: readonly string[] = [],
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && (passed.has(name) || name.startsWith('LC_') || also.includes(name)))
      env[name] = value;
  }
  return { ...env, ...fixed, [checkMark]: mark };
}
