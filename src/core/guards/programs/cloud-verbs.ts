import type { GuardEffectKind } from '../../../contract/guard.ts';
import { type Call, report, type World } from '../call.ts';
import { shown } from '../marks.ts';
import { namesProduction } from '../tasks.ts';

const readVerb =
  /^(list|ls|describe|get|show|info|version|help|status|whoami|search|search-\S+|view|logs|log|tail|read|history|diff|preview|validate|lint|check|inspect|explain|top|stat|du|size|cat|head|count|events|metrics|regions|zones|sizes|images|ps|ping|doctor|completion|docs|open_|browse_|watch|wait|print|outputs?|summary|(describe|list|get|head|batch-get|lookup|filter|scan|query|estimate|preview|validate|view|test|search|check|simulate|is)-\S+)$/;

export const deleteVerb =
  /^(delete|del|rm|remove|destroy|purge|terminate|drop|erase|wipe|uninstall|down|teardown|deprovision|revoke|nuke|(delete|terminate|remove|destroy|purge|deregister|revoke|cancel|disable|batch-delete|empty)-\S+)$/;

const deployVerb = /^(deploy|redeploy|publish|release|promote|ship|rollout|deploy-\S+|up)$/;

const secretVerb =
  /^(get-secret-value|get-login-password|get-session-token|get-federation-token|assume-role\S*|create-access-key|decrypt|get-authorization-token|export-credentials|print-access-token|print-identity-token|get-access-token|access|get-credentials|generate-db-auth-token|get-password-data|reveal|credentials|access-token)$/;

const shellVerb =
  /^(ssh|exec|run|attach|shell|console|tunnel|start-session|execute-command|ssm-session|port-forward|proxy|rsh|debug|send-command|run-command)$/;

/** What a cloud's command does, by the first of its words that is a verb. */
export function verbKind(words: readonly string[], line: string): GuardEffectKind {
  if (words.some((word) => secretVerb.test(word))) return 'read-secret';
  if (
    /\bsecrets?\b/.test(line) &&
    /\b(get|show|view|read|access|download|pull|versions|reveal|print|kv)\b/.test(line)
  )
    return 'read-secret';
  for (const word of words) {
    if (deleteVerb.test(word)) return 'cloud-delete';
    if (readVerb.test(word)) return 'cloud-read';
    if (deployVerb.test(word)) return 'deploy';
    if (shellVerb.test(word)) return 'remote-shell';
  }
  return 'cloud-change';
}

export const namesProd = (line: string): boolean => line.split(/\s+/).some((word) => namesProduction(word));

/** An apply that names production is a production deploy. */
export function prodAware(kind: GuardEffectKind, call: Call, world: World): void {
  const what = shown(`${call.program} ${call.args.join(' ')}`);
  report(world, kind, what);
  if (namesProd(call.args.join(' ')))
    report(world, kind === 'deploy' || kind === 'infrastructure' ? 'deploy-production' : 'production', what);
}
