import { writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { shown } from '../marks.ts';
import { namesProd, verbKind } from './cloud-verbs.ts';
import { type Arguments, type Family, type Knowledge, many } from './family.ts';

/** A command-line client of a provider: nouns and verbs in some order. */
function judgeProvider(args: Arguments, call: Call, world: World): void {
  const words = args.operands.filter((word) => /^[a-z][a-z0-9:_-]*$/i.test(word)).slice(0, 6);
  const line = call.args.join(' ');
  const what = shown(`${call.program} ${line}`);
  const kind =
    words.length === 0
      ? 'cloud-read'
      : verbKind(
          words.flatMap((word) => word.split(':')),
          line,
        );
  report(world, kind === 'deploy' && namesProd(line) ? 'deploy-production' : kind, what);
  if (kind !== 'cloud-read' && namesProd(line)) report(world, 'production', what);
  else if (kind === 'cloud-read' && namesProd(line)) report(world, 'production', what);
}

const provider: Knowledge = {
  takes: 'text',
  options: {
    '--profile --region --output -o --query --project --zone --format --filter --subscription -g --resource-group -n --name --account --endpoint-url --cli-input-json --context -a --app --team --org --scope --location --cluster --config --limit --sort-by --page-size --max-items --filters --instance-ids --bucket --key --table-name --function-name --stack-name --log-group-name':
      'text',
  },
  also: judgeProvider,
  dry: '--dry-run --dryrun --what-if --preview',
};

/** Object stores: copies go out, come in, or stay in the cloud. */
function judgeTransfer(words: readonly string[], call: Call, world: World): void {
  const [verb = '', ...paths] = words;
  const isRemote = (path: string) => /^\w[\w+-]*:/.test(path);
  if (
    /^(ls|lsd|lsl|lsf|la|du|stat|cat|info|size|check|tree|about|version|listremotes|hash|md5sum|sha1sum|head|diff|find)$/.test(
      verb,
    )
  ) {
    report(world, 'cloud-read', shown(words.join(' ')));
    return;
  }
  if (/^(rm|rb|delete|purge|deletefile|rmdir|rmdirs|cleanup|del)$/.test(verb)) {
    report(world, 'cloud-delete', shown(words.join(' ')));
    return;
  }
  if (/^(cp|sync|mv|copy|move|rsync|mirror|put|get|copyto|moveto|pipe|bisync)$/.test(verb)) {
    const target = paths.at(-1) ?? '';
    if (isRemote(target) || verb === 'put') {
      report(world, 'network-send', shown(words.join(' ')));
      return;
    }
    writes(world, call, target);
    report(world, verb === 'mv' || verb === 'move' ? 'cloud-delete' : 'network-in', shown(words.join(' ')));
    return;
  }
  report(world, 'cloud-change', shown(words.join(' ')));
}

export const cloud: Family = {
  aws: {
    ...provider,
    also: (args, call, world) => {
      const [service = '', ...rest] = args.operands;
      if (service === 's3') return judgeTransfer(rest, call, world);
      if (service === 'configure')
        return report(
          world,
          /^(list|get)$/.test(rest[0] ?? '') ? 'read-secret' : 'persistence',
          `aws configure ${rest.join(' ')}`,
        );
      if (service === 'ssm' && /get-parameter/.test(rest[0] ?? '') && call.args.includes('--with-decryption'))
        report(world, 'read-secret', shown(rest.join(' ')));
      judgeProvider({ ...args, operands: service === 'help' ? ['help'] : rest }, call, world);
    },
  },
  ...many('gsutil s3cmd mc rclone s5cmd azcopy b2', {
    takes: 'text',
    options: { '-o --config -P --transfers': 'text' },
    also: (args: Arguments, call: Call, world: World) => judgeTransfer(args.operands, call, world),
    dry: '--dry-run -n',
  }),
  gcloud: {
    ...provider,
    also: (args, call, world) => {
      if (args.operands[0] === 'app' && args.operands[1] === 'deploy')
        return report(world, 'deploy-production', shown(call.args.join(' ')));
      if (
        /^(auth|config|init)$/.test(args.operands[0] ?? '') &&
        !/^(list|get-value|get|describe|print\S*|configurations)$/.test(args.operands[1] ?? '')
      )
        return report(world, 'persistence', shown(call.args.join(' ')));
      judgeProvider(args, call, world);
    },
  },
  ...many(
    'az doctl linode-cli ibmcloud oci aliyun hcloud vultr-cli scw exo civo eksctl gsctl databricks snow bq confluent circleci travis glab-ci sentry-cli datadog newrelic okta auth0 stripe twilio sf sfdx shopify contentful supabase planetscale pscale neonctl turso upstash cf ecs-cli eb copilot amplify railway render northflank koyeb porter argocd flux istioctl linkerd consul nomad boundary waypoint oc rosa tkn kn velero rancher cilium',
    provider,
  ),
};
