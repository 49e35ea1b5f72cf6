import { report } from '../call.ts';
import { shown } from '../marks.ts';
import { type Family, type Knowledge, many } from './family.ts';

const outward = 'is:cloud-change' as const;

const forge: Knowledge = {
  options: {
    '-R --repo -b --body -t --title -L --limit -s --state -l --label -a --assignee -A --author -q --jq --json -H --head -B --base -F --body-file -m --milestone -S --search -w --workflow -O -D --dir -p --pattern -e --env -u --user --job':
      'text',
  },
  bare: 'read',
  subs: {
    ...many('pr mr', {
      subs: {
        ...many('list ls view diff checks status', 'is:cloud-read'),
        checkout: 'is:git-local',
        ...many(
          'create merge close reopen comment review edit ready lock unlock approve note update-branch update rebase',
          outward,
        ),
      },
    }),
    issue: {
      subs: {
        ...many('list ls view status', 'is:cloud-read'),
        develop: 'is:git-local',
        ...many('create close reopen comment edit delete lock unlock pin unpin transfer note', outward),
      },
    },
    repo: {
      subs: {
        ...many('list view', 'is:cloud-read'),
        clone: 'is:network-in',
        delete: 'is:cloud-delete',
        sync: { is: 'cloud-change', takes: 'text', flags: { '--force': 'is:force-push' } },
      },
      otherwise: outward,
    },
    ...many('run workflow ci pipeline', {
      subs: { ...many('list ls view watch download status lint trace', 'is:cloud-read') },
      otherwise: outward,
    }),
    release: {
      subs: {
        ...many('list ls view download', 'is:cloud-read'),
        ...many('create upload edit', 'is:publish'),
        delete: 'is:cloud-delete',
        'delete-asset': 'is:cloud-delete',
      },
    },
    gist: { subs: { ...many('list view clone', 'is:cloud-read') }, otherwise: 'is:network-send' },
    api: {
      takes: 'text',
      is: 'cloud-read',
      options: {
        '-X --method -f --raw-field -F --field -H --header --input -q --jq -t --template --hostname --cache':
          'text',
      },
      also: (args, call, world) => {
        const method = (
          args.value('-X', '--method') ??
          (args.has('-f', '--raw-field', '-F', '--field', '--input') ? 'POST' : 'GET')
        ).toUpperCase();
        if (args.operands[0] === 'graphql' && !/mutation/.test(call.args.join(' '))) return;
        if (method !== 'GET' && method !== 'HEAD')
          report(
            world,
            method === 'DELETE' ? 'cloud-delete' : 'cloud-change',
            shown(`${method} ${args.operands[0] ?? ''}`),
          );
      },
    },
    auth: { subs: { status: 'is:cloud-read', token: 'is:read-secret' }, otherwise: 'is:persistence' },
    ...many('search status browse ruleset', 'is:cloud-read'),
    label: { subs: { list: 'is:cloud-read' }, otherwise: outward },
    ...many('secret variable', { subs: { ...many('list get', 'is:cloud-read') }, otherwise: outward }),
    ...many('ssh-key gpg-key', { subs: { list: 'is:cloud-read' }, otherwise: 'is:persistence' }),
    codespace: { subs: { list: 'is:cloud-read' }, otherwise: 'is:remote-shell' },
    alias: { subs: { list: 'text', set: { takes: ['text', 'shell'] } }, otherwise: 'is:persistence' },
    ...many('extension ext', { subs: { ...many('list search', 'is:cloud-read') }, otherwise: 'is:run-any' }),
    ...many('config', { subs: { ...many('list get', 'text') }, otherwise: 'is:persistence' }),
    cache: { subs: { list: 'is:cloud-read' }, otherwise: 'is:cloud-delete' },
    ...many('version help completion', 'text'),
    attestation: 'is:cloud-read',
  },
};

export const forges: Family = { ...many('gh glab', forge) };
