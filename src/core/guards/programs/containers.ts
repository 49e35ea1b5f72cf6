import { reads, writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { hasAnything, shown } from '../marks.ts';
import { isInside, resolvePath } from '../paths.ts';
import { unknownFlow } from '../shell/state.ts';
import { type Arguments, type Family, type Knowledge, many } from './family.ts';

const runOptions = {
  '-v --volume --mount': 'text',
  '--cidfile --iidfile --metadata-file': 'write',
  '-e --env --env-file -p --publish --name -w --workdir -u --user -l --label --label-file -h --hostname --network --net --ip --dns --entrypoint -m --memory --cpus --cpu-shares --restart --platform --pull --log-driver --log-opt --ulimit --shm-size --tmpfs --add-host --link --expose --stop-signal --stop-timeout --health-cmd --gpus --runtime --group-add --detach-keys -a --attach --memory-swap --network-alias --isolation --init-path --annotation':
    'text',
  '--device --cap-add --security-opt --pid --ipc --userns --uts --cgroupns --volumes-from --cgroup-parent --device-cgroup-rule --sysctl':
    'is:privilege',
} as const;

/** What a container can see of this machine. */
function judgeMounts(args: Arguments, call: Call, world: World): void {
  for (const mount of args.values('-v', '--volume')) {
    const [source = '', target] = mount.split(':');
    if (target !== undefined || /^[/.~]/.test(source)) judgeMount(source, call, world);
  }
  for (const mount of args.values('--mount')) {
    const source = /(?:^|,)(?:source|src)=([^,]*)/.exec(mount)?.[1];
    if (source !== undefined && /type=bind/.test(mount)) judgeMount(source, call, world);
  }
  if (args.has('--privileged')) report(world, 'privilege', 'a privileged container');
  if (/^(host|container:)/.test(args.value('--network', '--net') ?? ''))
    report(world, 'privilege', 'the network of the host');
}

function judgeMount(source: string, call: Call, world: World): void {
  if (hasAnything(source)) {
    report(world, 'write-outside', `a mount of ${shown(source)}`);
    return;
  }
  if (!/^[/.~]/.test(source)) return;
  const path = resolvePath(source, call.state.cwd);
  if (path === undefined || !isInside(path, world.context.workspace))
    report(world, 'privilege', `a mount of ${shown(source)}`);
}

/** A command inside a container: its files are not ours, its databases and remotes may be. */
function runsInside(words: readonly string[], call: Call, world: World) {
  if (words.length === 0) return unknownFlow;
  const inner = world.inside({ ...world.context, workspace: '/', home: '/root' });
  return inner.run(words, call, { state: { ...call.state, cwd: '/', files: new Map() } });
}

const run: Knowledge = {
  is: 'container',
  stops: true,
  takes: 'text',
  options: runOptions,
  also: judgeMounts,
  prints: (args, call, world) => {
    const entry = args.value('--entrypoint');
    return runsInside([...(entry ? [entry] : []), ...args.operands.slice(1)], call, world);
  },
};

const exec: Knowledge = {
  is: 'container',
  stops: true,
  takes: 'text',
  options: { '-e --env --env-file -u --user -w --workdir --detach-keys --index': 'text' },
  flags: { '--privileged': 'is:privilege' },
  prints: (args, call, world) => runsInside(args.operands.slice(1), call, world),
};

const container = 'is:container' as const;
const removes = 'is:cloud-delete' as const;

const compose: Knowledge = {
  options: {
    '-f --file --project-directory': 'load',
    '-p --project-name --env-file --profile --ansi --progress --parallel': 'text',
  },
  subs: {
    ...many(
      'up build ps logs config pull start stop restart top images version events port create pause unpause watch ls wait convert stats',
      container,
    ),
    down: {
      is: 'container',
      takes: 'text',
      flags: { '-v --volumes': 'is:cloud-delete' },
      options: { '--rmi': 'is:cloud-delete', '-t --timeout': 'text' },
    },
    ...many('rm kill', { is: 'container', takes: 'text', flags: { '-v': 'is:cloud-delete' } }),
    exec,
    run,
    cp: { takes: 'text', also: (args, call, world) => judgeCopy(args, call, world) },
    push: 'is:publish',
    attach: 'is:run-shell',
    publish: 'is:publish',
  },
};

/** `docker cp`: into a container, or out of it to a path of ours. */
function judgeCopy(args: Arguments, call: Call, world: World): void {
  const [from = '', to = ''] = args.operands;
  if (/^[^/.~]+:/.test(to)) reads(world, call, from, 'tree');
  else writes(world, call, to);
  report(world, 'container', shown(`cp ${from} ${to}`));
}

const docker: Knowledge = {
  options: {
    '-c --context --config -l --log-level --tlscacert --tlscert --tlskey': 'text',
    '-H --host': 'is:remote-shell',
  },
  bare: 'read',
  subs: {
    ...many('ps images logs inspect version info stats top port diff history search events help', {
      is: 'container',
      takes: 'text',
      options: { '-f --filter --format -n --last --since --until --tail': 'text' },
    }),
    ...many('start stop restart pause unpause wait rename tag pull load commit update', container),
    ...many('build', {
      is: 'build',
      takes: 'text',
      options: {
        '-t --tag -f --file --build-arg --target --platform --cache-from --cache-to --label --network --progress --add-host --ssh -m --shm-size':
          'text',
        '-o --output': 'write',
        '--secret': 'text',
      },
      flags: { '--push': 'is:publish' },
    }),
    run,
    exec,
    cp: { takes: 'text', also: judgeCopy },
    ...many('save export', { is: 'container', takes: 'text', options: { '-o --output': 'write' } }),
    create: { ...run, prints: () => unknownFlow },
    attach: 'is:run-shell',
    push: 'is:publish',
    ...many('login logout', 'is:persistence'),
    ...many('rm rmi kill', removes),
    image: {
      subs: {
        ...many('ls list inspect history pull tag load save build', container),
        push: 'is:publish',
        ...many('rm prune', removes),
      },
    },
    container: {
      subs: {
        ...many('ls list inspect logs stats top port start stop restart diff wait', container),
        run,
        exec,
        cp: { takes: 'text', also: judgeCopy },
        ...many('rm prune kill', removes),
      },
    },
    volume: { subs: { ...many('ls list inspect create', container), ...many('rm prune', removes) } },
    network: {
      subs: { ...many('ls list inspect create connect disconnect', container), ...many('rm prune', removes) },
    },
    system: { subs: { ...many('df info events', container), prune: removes } },
    builder: { subs: { build: 'is:build', prune: removes } },
    buildx: {
      subs: {
        ...many('ls inspect du version create use', container),
        ...many('build bake', {
          is: 'build',
          takes: 'text',
          options: {
            '-t --tag -f --file --build-arg --target --platform --builder --cache-from --cache-to --progress --set':
              'text',
            '-o --output': 'text',
          },
          flags: { '--push': 'is:publish' },
        }),
        ...many('rm prune', removes),
        imagetools: 'is:container',
      },
    },
    compose,
    context: { subs: { ...many('ls list inspect show', container) }, otherwise: 'is:cloud-change' },
    manifest: { subs: { inspect: container, ...many('create annotate', container), push: 'is:publish' } },
    ...many('swarm node service stack secret config plugin', {
      subs: { ...many('ls list ps inspect logs', container) },
      otherwise: 'is:cloud-change',
    }),
    scout: container,
    init: 'is:write',
    machine: { subs: { ...many('list ls info inspect', container) }, otherwise: 'is:cloud-change' },
    generate: container,
    unshare: 'is:privilege',
    mount: 'is:privilege',
  },
};

export const containers: Family = {
  ...many('docker podman nerdctl', docker),
  ...many('docker-compose podman-compose', compose),
  ...many('ctr crictl runc crun lxc lxd incus', { is: 'privilege', takes: 'text' }),
  ...many('buildah skopeo', {
    subs: {
      ...many('images containers inspect info version list-tags', container),
      ...many('bud build from', 'is:build'),
      ...many('push copy', 'is:publish'),
    },
    otherwise: 'is:run-any',
  }),
  ...many('dive ctop lazydocker', { is: 'container', takes: 'text' }),
};
