import type { Call, World } from '../call.ts';
import { prodAware } from './cloud-verbs.ts';
import { type Arguments, type Family, type Knowledge, many } from './family.ts';

const terraform: Knowledge = {
  oneDash: true,
  options: {
    '-chdir': 'load',
    '-var -var-file -target -out -backend-config -state -lock-timeout -parallelism -replace': 'text',
  },
  subs: {
    ...many(
      'plan validate fmt init show output providers version graph get test modules metadata help hclfmt render-json output-all plan-all validate-inputs',
      {
        is: 'cloud-read',
        takes: 'text',
        oneDash: true,
        options: { '-out': 'write' },
        flags: { '-from-module': 'is:run-remote' },
      },
    ),
    workspace: { subs: { ...many('list show select new', 'is:cloud-read'), delete: 'is:cloud-delete' } },
    state: { subs: { ...many('list show pull', 'is:cloud-read') }, otherwise: 'is:infrastructure' },
    console: 'is:interactive',
    destroy: { is: 'cloud-delete', takes: 'text' },
    ...many('login logout', 'is:persistence'),
  },
  otherwise: {
    is: 'infrastructure',
    takes: 'text',
    also: (_args, call, world) => prodAware('infrastructure', call, world),
  },
};

export const infrastructure: Family = {
  ...many('terraform tofu terragrunt', terraform),
  pulumi: {
    options: { '-s --stack -C --cwd -m --message': 'text' },
    subs: {
      ...many('preview pre version about whoami logs schema', 'is:cloud-read'),
      stack: {
        subs: { ...many('ls list output graph history select', 'is:cloud-read') },
        otherwise: 'is:infrastructure',
      },
      config: {
        subs: { get: 'is:read-secret', set: 'is:write' },
        otherwise: { is: 'cloud-read', takes: 'text', flags: { '--show-secrets': 'is:read-secret' } },
      },
      ...many('destroy', 'is:cloud-delete'),
      new: 'is:write',
    },
    otherwise: 'is:infrastructure',
  },
  ...many('cdk cdktf', {
    subs: {
      ...many(
        'synth synthesize diff list ls doctor docs metadata context acknowledge notices get init provider convert',
        'is:build',
      ),
      destroy: 'is:cloud-delete',
    },
    otherwise: {
      is: 'infrastructure',
      takes: 'text',
      also: (_args: Arguments, call: Call, world: World) => prodAware('deploy', call, world),
    },
  }),
  ...many('sam', {
    subs: { ...many('build validate local init list logs', 'is:build'), delete: 'is:cloud-delete' },
    otherwise: {
      is: 'deploy',
      takes: 'text',
      also: (_args: Arguments, call: Call, world: World) => prodAware('deploy', call, world),
    },
  }),
  ...many('serverless sls', {
    subs: {
      ...many('package print info offline logs metrics plugin create', 'is:build'),
      remove: 'is:cloud-delete',
      invoke: 'is:cloud-change',
    },
    otherwise: {
      is: 'deploy',
      takes: 'text',
      also: (_args: Arguments, call: Call, world: World) => prodAware('deploy', call, world),
    },
  }),
  'ansible-playbook': {
    is: 'infrastructure',
    takes: 'text',
    options: {
      '-i --inventory -e --extra-vars -t --tags --skip-tags -l --limit -u --user --vault-password-file':
        'text',
    },
    dry: '--check -C --list-hosts --list-tasks --list-tags --syntax-check',
    also: (_args, call, world) => prodAware('infrastructure', call, world),
  },
  ...many('ansible ansible-pull ansible-console', { is: 'remote-shell', takes: 'text', dry: '--list-hosts' }),
  ...many('ansible-inventory ansible-doc ansible-config', 'text'),
  'ansible-galaxy': 'is:install',
  'ansible-vault': {
    subs: {
      ...many('view decrypt edit rekey', 'is:read-secret'),
      ...many('encrypt create encrypt_string', 'is:write'),
    },
  },
  packer: {
    subs: { ...many('validate fmt inspect version init hcl2_upgrade', 'is:cloud-read') },
    otherwise: 'is:infrastructure',
  },
  vagrant: {
    subs: {
      ...many('status global-status version validate port ssh-config', 'is:cloud-read'),
      destroy: 'is:cloud-delete',
      ...many('ssh winrm', 'is:remote-shell'),
    },
    otherwise: 'is:infrastructure',
  },
};
