import type { GuardEffectKind } from '../../../contract/guard.ts';
import { report } from '../call.ts';
import { shown } from '../marks.ts';
import { deleteVerb, namesProd } from './cloud-verbs.ts';
import { type Family, type Knowledge, many } from './family.ts';

/** A noun that lists by itself, unless a verb follows. */
const looking: Knowledge = {
  takes: 'text',
  also: (args, call, world) => {
    const verb = args.operands.find(
      (word) =>
        deleteVerb.test(word) ||
        /^(create|add|set|update|scale|restart|start|stop|attach|import|transfer|rename|open|close|enable|disable|suspend|resume|promote|deploy)$/.test(
          word,
        ),
    );
    const kind = verb === undefined ? 'cloud-read' : deleteVerb.test(verb) ? 'cloud-delete' : 'cloud-change';
    report(world, kind, shown(`${call.program} ${call.args.join(' ')}`));
  },
};

/** Hosts of applications: a bare call or `deploy` goes live, `--prod` says so. */
function host(looks: string, builds: string, secrets: string, bare: GuardEffectKind): Knowledge {
  return {
    options: {
      '-a --app -c --config --scope --token -t --site -s --team --cwd --remote -r --org -e --env --environment --project -m --message --dir -d --region':
        'text',
    },
    bare,
    subs: {
      ...many(looks, looking),
      ...many(builds, 'is:build'),
      ...many(secrets, 'is:read-secret'),
      ...many('ssh run exec', 'is:remote-shell'),
      ...many('destroy remove rm delete apps:destroy', 'is:cloud-delete'),
      ...many('login logout auth', 'is:persistence'),
    },
    otherwise: {
      is: 'cloud-change',
      takes: 'text',
      also: (args, call, world) => {
        const isLive = /^(deploy|publish|promote|up|rollback|release|pipelines:promote|alias)$/.test(
          args.operands[0] ?? '',
        );
        if (isLive)
          report(
            world,
            namesProd(call.args.join(' ')) || bare === 'deploy-production' ? 'deploy-production' : 'deploy',
            shown(call.args.join(' ')),
          );
      },
    },
    also: (_args, call, world) => {
      if (call.args.some((arg) => /^--prod(uction)?$/.test(arg)))
        report(world, 'deploy-production', shown(`${call.program} ${call.args.join(' ')}`));
    },
  };
}

export const hosting: Family = {
  heroku: host(
    'apps info ps logs releases status domains addons pipelines regions stack whoami pg:info pg:ps buildpacks features help version',
    'local',
    'config config:get pg:credentials pg:credentials:url',
    'read',
  ),
  ...many(
    'fly flyctl',
    host(
      'status logs apps info releases regions ips certs version doctor platform history checks services list dashboard',
      'config',
      '',
      'read',
    ),
  ),
  vercel: host(
    'ls list inspect logs whoami domains dns certs teams projects help switch',
    'dev build link init',
    'env',
    'deploy',
  ),
  now: host('ls list inspect logs whoami', 'dev build', 'env', 'deploy'),
  ...many(
    'netlify ntl',
    host(
      'status sites:list open watch logs blobs:list functions:list',
      'dev build init link unlink functions:create functions:serve',
      'env:get env:list env',
      'read',
    ),
  ),
  wrangler: host('whoami tail versions deployments docs', 'dev types init generate', 'secret', 'read'),
  firebase: host(
    'projects:list apps:list functions:log hosting:channel:list target help use',
    'serve emulators:start emulators:exec init',
    'functions:config:get',
    'deploy-production',
  ),
  ...many('surge now-cli dokku', { is: 'deploy-production', takes: 'text' }),
};
