import type { RuleTable } from './rule-table.ts';

const allow = 'allow' as const;

/** Reads, builds, tests, and changes inside the workspace that can be undone. */
export const harmless: RuleTable<
  | 'read'
  | 'write'
  | 'write-temp'
  | 'delete'
  | 'delete-regenerable'
  | 'git-local'
  | 'git-rewrite'
  | 'network-in'
  | 'network-local'
  | 'build'
  | 'run-workspace'
  | 'install'
  | 'database-read'
  | 'cloud-read'
  | 'container'
> = {
  read: {
    verdict: allow,
    because: 'it only looks',
    shows: ['cat README.md', 'grep -rn TODO src', 'ls -la /usr/include'],
  },
  write: {
    verdict: allow,
    because: 'it changes files of the workspace, which can be undone',
    shows: ['echo hi > notes.txt', 'sed -i s/a/b/ src/a.ts', 'mkdir -p src/new'],
  },
  'write-temp': {
    verdict: allow,
    because: 'it writes to a temporary folder',
    shows: ['echo hi > /tmp/out.txt', 'mktemp -d'],
  },
  delete: {
    verdict: allow,
    because: 'it removes named files of the workspace, which the tree before the turn still holds',
    shows: ['rm src/old.ts', 'git rm src/old.ts'],
  },
  'delete-regenerable': {
    verdict: allow,
    because: 'it removes what a build makes again',
    shows: ['rm -rf ./build', 'rm -rf node_modules', "find . -name '*.pyc' -delete"],
  },
  'git-local': {
    verdict: allow,
    because: 'it changes only this repository, and git can undo it',
    shows: ['git add -A', "git commit -m 'rm -rf / is a joke'", 'git checkout -b feature'],
  },
  'git-rewrite': {
    verdict: allow,
    because: 'it rewrites local history, which the reflog keeps',
    shows: ['git commit --amend --no-edit', 'git rebase main'],
  },
  'network-in': {
    verdict: allow,
    because: 'it only fetches from a place the project already uses',
    shows: ['git fetch origin', 'ping -c 1 example.com'],
  },
  'network-local': {
    verdict: allow,
    because: 'it stays on this machine',
    shows: ['curl http://localhost:3000/health', "curl -X POST -d '{}' http://127.0.0.1:8080/api"],
  },
  build: {
    verdict: allow,
    because: 'it builds, checks or tests the workspace',
    shows: ['npm test', 'make -j4', 'cargo build --release', 'pytest -q', 'docker build -t app .'],
  },
  'run-workspace': {
    verdict: allow,
    because: 'it runs code of the workspace, as its tests do',
    shows: ['npm run build', './scripts/check.sh', 'python scripts/gen.py'],
  },
  install: {
    verdict: allow,
    because: 'it installs packages for this project',
    shows: ['npm ci', 'pip install -r requirements.txt', 'bundle install'],
  },
  'database-read': {
    verdict: allow,
    because: 'it only reads from the database',
    shows: ["psql -c 'select count(*) from users'", 'redis-cli ping'],
  },
  'cloud-read': {
    verdict: allow,
    because: 'it only looks',
    shows: ['kubectl get pods', 'aws s3 ls', 'terraform plan', 'gh pr list'],
  },
  container: {
    verdict: allow,
    because: 'it stays inside a container',
    shows: ['docker ps', 'docker compose up -d', 'docker run --rm node:24 node --version'],
  },
};
