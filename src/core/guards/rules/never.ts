import type { GuardVerdict } from '../../../contract/action.ts';
import type { GuardEffectKind } from '../../../contract/guard.ts';
import type { RuleTable } from './rule-table.ts';

/** A person, one action at a time: no setting, rule or earlier approval answers for them. */
export const personOnly: RuleTable<'force-push' | 'deploy-production' | 'publish' | 'database-destroy'> = {
  'force-push': {
    verdict: 'ask',
    because: 'it rewrites what others have read',
    instead: 'push a new branch',
    shows: [
      'git push -f',
      'git push origin +main',
      'git push --force-with-lease',
      'git push --mirror',
      'git push origin :old',
      'git push --delete origin x',
      'git -c alias.p="push --force" p',
    ],
    allows: ['git push --force --dry-run', 'echo git push -f', 'git log --grep="push --force"'],
  },
  'deploy-production': {
    verdict: 'ask',
    because: 'it changes what people use right now',
    instead: 'deploy to a preview and show it',
    shows: [
      'vercel --prod',
      'git push heroku main',
      'npm run deploy:prod',
      'firebase deploy',
      'terraform apply -var-file=prod.tfvars',
      'kubectl apply -f x.yml --context production',
    ],
    allows: ['npm run build:prod', 'vercel build --help'],
  },
  publish: {
    verdict: 'ask',
    because: 'what is published cannot be taken back',
    instead: 'npm pack shows what would be published',
    shows: [
      'npm publish',
      'cargo publish',
      'twine upload dist/*',
      'docker push x',
      'gem push a.gem',
      'yarn npm publish',
      'gh release create v1',
      'mvn deploy',
      'npm run publish',
    ],
    allows: ['npm publish --dry-run', 'npm pack', 'cargo publish --dry-run', 'echo npm publish'],
  },
  'database-destroy': {
    verdict: 'ask',
    because: 'it drops a whole database',
    shows: [
      "psql -c 'DROP DATABASE app'",
      'dropdb app',
      "mysql -e 'drop schema x'",
      'redis-cli FLUSHALL',
      "mongosh --eval 'db.dropDatabase()'",
      'npx prisma migrate reset',
      'rails db:drop',
    ],
    allows: ["echo 'drop database'", 'git commit -m "DROP DATABASE"'],
  },
};

/** Refused even then. */
export const refused: RuleTable<
  'destroy-root' | 'destroy-home' | 'destroy-workspace' | 'destroy-disk' | 'answer-gate' | 'touch-tireless'
> = {
  'destroy-root': {
    verdict: 'forbid',
    because: 'it destroys the whole system',
    shows: [
      'rm -rf /',
      'rm -rf /*',
      'sudo rm -rf --no-preserve-root /',
      'find / -delete',
      'sh -c "rm -rf /"',
    ],
    allows: ['rm -rf ./build', 'echo "rm -rf /"', "grep 'rm -rf /' notes.txt"],
  },
  'destroy-home': {
    verdict: 'forbid',
    because: 'it destroys the home folder',
    shows: ['rm -rf ~', 'rm -rf $HOME', 'rm -rf ~/*', 'rm -rf "$HOME"/.*'],
    allows: ['ls ~'],
  },
  'destroy-workspace': {
    verdict: 'forbid',
    because: 'it destroys the whole workspace',
    instead: 'remove only what a build makes again',
    shows: ['rm -rf .', 'rm -rf *', 'rm -rf ./*', 'cd src && rm -rf ..', 'find . -delete', 'rm -rf "$PWD"'],
    allows: ['rm -rf ./dist'],
  },
  'destroy-disk': {
    verdict: 'forbid',
    because: 'it destroys a disk',
    shows: [
      'dd if=/dev/zero of=/dev/sda',
      'mkfs.ext4 /dev/sda1',
      'cat x > /dev/nvme0n1',
      'wipefs -a /dev/sdb',
      'format c:',
    ],
    allows: ['dd if=/dev/zero of=disk.img bs=1M count=1', 'lsblk'],
  },
  'answer-gate': {
    verdict: 'forbid',
    because: 'only a person answers a question put to a person',
    shows: ['tireless approve 3', 'npx tireless deny 3', 'node dist/tireless.js resume', 'tireless off'],
    allows: ['tireless status', 'tireless runs'],
  },
  'touch-tireless': {
    verdict: 'forbid',
    because: 'it changes what supervises this session',
    instead: 'ask the person',
    shows: [
      'echo x > .tireless/config.yaml',
      'rm -rf .tireless',
      'echo {} > .claude/settings.json',
      'env -u TIRELESS_RUN tireless runs',
      'pkill tireless',
    ],
    allows: ['cat .tireless/config.yaml'],
  },
};

/** Code the guard could not read may hide anything, so nothing but a person answers for it either. */
const unread: ReadonlySet<GuardEffectKind> = new Set(['opaque', 'unreadable', 'run-remote', 'run-code']);

export const isRefused = (kind: GuardEffectKind): boolean => Object.hasOwn(refused, kind);
export const isPersonOnly = (kind: GuardEffectKind): boolean =>
  Object.hasOwn(personOnly, kind) || unread.has(kind);
/** On the list that no setting, rule, earlier approval or advice can shrink. */
export const isNever = (kind: GuardEffectKind): boolean => isRefused(kind) || isPersonOnly(kind);

/** The least verdict the never list gives an effect, whatever anybody configured. Checked last. */
export function leastVerdict(kind: GuardEffectKind): GuardVerdict {
  if (isRefused(kind)) return 'forbid';
  return isPersonOnly(kind) ? 'ask' : 'allow';
}
