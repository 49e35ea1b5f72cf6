import { report } from '../call.ts';
import { shown } from '../marks.ts';
import { unknownFlow } from '../shell/state.ts';
import { namesProd, prodAware } from './cloud-verbs.ts';
import { type Family, type Knowledge, many } from './family.ts';

const kubectlReads =
  'get describe logs top explain version cluster-info api-resources api-versions diff wait kustomize events completion options help';

const kubectl: Knowledge = {
  options: {
    '-n --namespace --context --cluster --user -l --selector --field-selector -c --container -o --output --kubeconfig --token --as -s --server --sort-by --tail --since --request-timeout --type --replicas --image --timeout --for --template -L --label-columns --chunk-size':
      'text',
    '-f --filename -k --kustomize': 'text',
  },
  dry: '--dry-run',
  subs: {
    ...many(kubectlReads, {
      is: 'cloud-read',
      takes: 'text',
      also: (args, call, world) => {
        if (
          args.operands.some((word) => /^secrets?(\/|$|,)|,secrets?/.test(word)) &&
          call.args.includes('get') &&
          call.args.some((arg) => /^(-o\S*|--output|--template\S*|--raw)/.test(arg))
        )
          report(world, 'read-secret', shown(args.operands.join(' ')));
        if (namesProd(call.args.join(' '))) report(world, 'production', shown(call.args.join(' ')));
      },
    }),
    config: {
      subs: {
        ...many('get-contexts current-context get-clusters get-users', 'is:cloud-read'),
        view: { is: 'cloud-read', takes: 'text', flags: { '--raw': 'is:read-secret' } },
      },
      otherwise: 'is:cloud-change',
    },
    auth: { subs: { ...many('can-i whoami', 'is:cloud-read') }, otherwise: 'is:cloud-change' },
    rollout: {
      subs: { ...many('status history', 'is:cloud-read') },
      otherwise: {
        is: 'deploy',
        takes: 'text',
        also: (_args, call, world) => prodAware('deploy', call, world),
      },
    },
    exec: {
      is: 'remote-shell',
      own: true,
      prints: (_args, call, world) => {
        const at = call.args.indexOf('--');
        const words = at === -1 ? [] : call.args.slice(at + 1);
        return words.length > 0
          ? world.run(words, call, { state: { ...call.state, cwd: undefined } })
          : unknownFlow;
      },
    },
    ...many('attach debug run cp', 'is:remote-shell'),
    ...many('port-forward proxy', 'is:network-listen'),
    ...many('delete drain', {
      is: 'cloud-delete',
      takes: 'text',
      also: (_args, call, world) => prodAware('cloud-delete', call, world),
    }),
    edit: 'is:cloud-change',
    'create token': 'is:read-secret',
    ...many(
      'apply create replace patch set scale autoscale rollback label annotate taint cordon uncordon expose certificate',
      { is: 'deploy', takes: 'text', also: (_args, call, world) => prodAware('deploy', call, world) },
    ),
    plugin: { subs: { list: 'text' } },
  },
};

const helm: Knowledge = {
  options: {
    '-n --namespace --kube-context --kubeconfig -f --values --set --set-string --set-file --version --repo --output -o --timeout --username --password':
      'text',
    '--post-renderer': 'is:run-any',
  },
  dry: '--dry-run',
  subs: {
    ...many(
      'list ls status history search show lint diff template version env verify inspect completion help',
      'is:cloud-read',
    ),
    get: { subs: { ...many('values all', 'is:read-secret') }, otherwise: 'is:cloud-read' },
    ...many('dependency dep create package pull fetch', 'is:write'),
    repo: { subs: { list: 'text', ...many('add update index remove', 'is:network-in') } },
    plugin: { subs: { list: 'text' }, otherwise: 'is:run-any' },
    ...many('uninstall delete del', 'is:cloud-delete'),
    push: 'is:publish',
    registry: 'is:cloud-change',
    test: 'is:cloud-read',
  },
  otherwise: { is: 'deploy', takes: 'text', also: (_args, call, world) => prodAware('deploy', call, world) },
};

export const kubernetes: Family = {
  ...many('kubectl k kubecolor', kubectl),
  helm,
  helmfile: {
    subs: { ...many('list lint template diff status version', 'is:cloud-read'), destroy: 'is:cloud-delete' },
    otherwise: {
      is: 'deploy',
      takes: 'text',
      also: (_args, call, world) => prodAware('deploy', call, world),
    },
  },
  ...many('kustomize stern kubetail popeye kubescape kube-linter kube-score', {
    is: 'cloud-read',
    takes: 'text',
  }),
  ...many('kubectx kubens', { takes: 'text', is: 'cloud-change' }),
  ...many('minikube kind k3d colima lima podman-machine', {
    subs: {
      ...many(
        'status version ip profile get list logs start stop create pause unpause load image addons service config docker-env',
        'is:container',
      ),
      delete: 'is:cloud-delete',
      ssh: 'is:remote-shell',
    },
  }),
  ...many('skaffold tilt devspace garden okteto', {
    subs: {
      ...many('build diagnose render version lint schema fix test', 'is:build'),
      ...many('delete down destroy', 'is:cloud-delete'),
    },
    otherwise: 'is:deploy',
  }),
};
