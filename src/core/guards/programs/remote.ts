import { deletes, reads, writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { shown } from '../marks.ts';
import { type Flow, unknownFlow } from '../shell/state.ts';
import { type Arguments, type Family, many } from './family.ts';
import { probe } from './probing.ts';

const secrets = 'is:read-secret' as const;

/** `host:path` and `user@host:path` are other machines. */
const isRemotePath = (path: string): boolean =>
  /^(rsync|ssh|sftp|scp):\/\//.test(path) || /^[^/.][^/]*:/.test(path) || /^\.?[^/]*@[^/]*:/.test(path);

function judgeScp(args: Arguments, call: Call, world: World): void {
  const target = args.operands.at(-1) ?? '';
  for (const path of args.operands.slice(0, -1)) if (!isRemotePath(path)) reads(world, call, path, 'tree');
  if (isRemotePath(target)) report(world, 'network-send', shown(target));
  else {
    writes(world, call, target);
    report(world, 'network-out', shown(args.operands[0] ?? ''));
  }
}

function judgeRsync(args: Arguments, call: Call, world: World): void {
  const isDry = args.has('-n', '--dry-run');
  const target = args.operands.at(-1) ?? '';
  const sources = args.operands.length > 1 ? args.operands.slice(0, -1) : args.operands;
  for (const path of sources)
    isRemotePath(path) ? report(world, 'network-out', shown(path)) : reads(world, call, path, 'tree');
  if (args.operands.length < 2 || isDry) return;
  if (isRemotePath(target)) {
    report(world, 'network-send', shown(target));
    return;
  }
  writes(world, call, target);
  if (args.options.some((option) => /^--del/.test(option.name))) deletes(world, call, target, true);
  if (args.has('--remove-source-files')) for (const path of sources) deletes(world, call, path, true);
}

/** Another machine: what runs there is judged too, so that the never list reaches it. */
function judgeSsh(args: Arguments, call: Call, world: World): Flow {
  const [host, ...words] = args.operands;
  if (host === undefined) return unknownFlow;
  report(world, 'remote-shell', shown(host));
  const there = { state: { ...call.state, cwd: undefined, files: new Map<string, Flow>() } };
  if (words.length > 0) world.script(words.join(' '), call, there);
  else if (call.stdin.of === 'text') world.script(call.stdin.text, call, there);
  return unknownFlow;
}

export const remote: Family = {
  ssh: {
    stops: true,
    takes: 'text',
    options: {
      '-o': 'setting',
      '-F': 'odd',
      '-E': 'write',
      '-L -R -D -w': 'is:network-listen',
      '-p -l -i -J -W -b -c -e -m -B -I -O -Q -S': 'text',
    },
    prints: judgeSsh,
  },
  ...many('mosh autossh sshpass slogin dbclient telnet rlogin rsh', {
    is: 'remote-shell',
    takes: 'text',
    stops: true,
  }),
  ...many('ssh-copy-id ssh-import-id', 'is:remote-shell'),
  'ssh-keygen': {
    takes: 'text',
    options: {
      '-f': 'text',
      '-D': 'is:run-any',
      '-t -b -C -N -P -m -O -n -I -V -z -s -S -M -w -Y -r -F -R': 'text',
    },
    also: (args, call, world) => {
      const file = args.value('-f');
      if (args.has('-l', '-F', '-B', '-Q')) report(world, 'read', shown(file ?? 'known hosts'));
      else if (args.has('-y', '-e')) report(world, 'read-secret', shown(file ?? 'the default key'));
      else if (args.has('-Y', '-s', '-K')) report(world, 'read-secret', 'a signing key');
      else writes(world, call, file ?? `${world.context.home}/.ssh/id_ed25519`);
    },
  },
  'ssh-keyscan': probe({ '-t -p -T': 'text' }),
  ...many('ssh-add ssh-agent', secrets),
  scp: {
    takes: 'text',
    options: {
      '-S': 'escape',
      '-o': 'setting',
      '-F': 'odd',
      '-i -P -l -c -J -X': 'text',
      '-D': 'is:run-any',
    },
    also: judgeScp,
  },
  sftp: {
    is: 'remote-shell',
    takes: 'text',
    options: {
      '-S': 'escape',
      '-D': 'escape',
      '-b': 'read',
      '-o': 'setting',
      '-i -P -B -R -l -c -F -J': 'text',
    },
  },
  rsync: {
    takes: 'text',
    options: {
      '-e --rsh --rsync-path': 'shell',
      '--log-file --write-batch --only-write-batch --backup-dir --temp-dir -T --partial-dir': 'write',
      '--password-file --files-from --exclude-from --include-from --read-batch': 'read',
      '-f --filter --exclude --include --bwlimit --port --timeout --contimeout --max-size --min-size --chmod --chown --info --debug --out-format --suffix --compare-dest --copy-dest --link-dest --modify-window --block-size -B --iconv --protocol --address --sockopts --usermap --groupmap --max-delete --compress-level --skip-compress --outbuf -M --remote-option --checksum-choice':
        'text',
      '--early-input': 'odd',
      '--config': 'is:run-any',
    },
    also: judgeRsync,
  },
};
