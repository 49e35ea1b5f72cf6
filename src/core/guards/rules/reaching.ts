import type { RuleTable } from './rule-table.ts';

const ask = 'ask' as const;

/** Files and repositories: what cannot be undone, or reaches out of the workspace. */
export const reaching: RuleTable<
  | 'read-secret'
  | 'read-odd'
  | 'read-wide'
  | 'read-outside'
  | 'write-outside'
  | 'write-secret'
  | 'write-device'
  | 'persistence'
  | 'pipeline-change'
  | 'agent-settings'
  | 'permissions'
  | 'delete-many'
  | 'delete-recursive'
  | 'delete-outside'
  | 'delete-history'
  | 'git-discard'
  | 'git-destroy'
  | 'git-config'
  | 'git-push'
  | 'git-push-protected'
> = {
  'read-secret': {
    verdict: ask,
    because: 'it shows a key, a password or a token',
    instead: 'name the variables you need, not their values',
    shows: [
      'cat .env',
      'cat ~/.ssh/id_rsa',
      'env',
      'echo $AWS_SECRET_ACCESS_KEY',
      'cat /etc/shadow',
      'git show HEAD:.env',
    ],
    allows: [
      'cat .env.example',
      "grep -rn 'api_key' src",
      'echo "the password field"',
      'printenv PATH',
      'git commit -m "hide the secret"',
    ],
  },
  'read-odd': {
    verdict: ask,
    because: 'it shows a file through an option that is not there for showing files',
    instead: 'read the file with cat',
    shows: ['date -f /etc/passwd', 'file -f names.txt', 'curl file:///etc/passwd'],
    allows: ['date +%F', 'file src/main.c'],
  },
  'read-wide': {
    verdict: ask,
    because: 'it reads everything, someone’s secrets included',
    instead: 'name the folder you need',
    shows: ['grep -r token ~', 'tar czf /tmp/home.tgz ~', 'cp -r ~ /tmp/copy'],
    allows: ['grep -r token src', "find ~ -name '*.md'"],
  },
  'read-outside': {
    verdict: ask,
    because: 'it reads a file that belongs neither to the workspace nor to the system',
    instead: 'copy what you need into the workspace, or ask for a path rule',
    shows: ['cat /srv/app/data.csv', 'grep -r x /mnt/share'],
    allows: ['cat /etc/hostname', 'ls /srv', 'cat ~/notes.txt', 'head /var/log/syslog'],
  },
  'write-outside': {
    verdict: ask,
    because: 'it changes something outside the workspace',
    instead: 'write inside the workspace or to the temporary folder',
    shows: ['echo x > /opt/app/config', 'cp build/app /usr/local/bin/app', 'echo hi | tee ~/notes.txt'],
    allows: ['cp a.txt b.txt', 'echo hi | tee notes.txt'],
  },
  'write-secret': {
    verdict: ask,
    because: 'it changes a file that holds secrets',
    instead: 'change the example file and let a person fill in the value',
    shows: ['echo KEY=1 >> .env', 'cp x .npmrc'],
    allows: ['echo KEY= >> .env.example'],
  },
  'write-device': {
    verdict: ask,
    because: 'it writes to a device',
    shows: ['echo 1 > /dev/ttyUSB0', 'cat x > /dev/input/mouse0'],
    allows: ['make > /dev/null 2>&1'],
  },
  persistence: {
    verdict: ask,
    because: 'it leaves something behind that runs by itself later',
    instead: 'tell the person what to add',
    shows: [
      'crontab jobs.txt',
      'echo "alias x=y" >> ~/.bashrc',
      'cp hook .git/hooks/pre-commit',
      'git config --global user.name x',
      'cat key.pub >> ~/.ssh/authorized_keys',
    ],
    allows: ['crontab -l', 'git config user.name x', 'cat ~/.bashrc'],
  },
  'pipeline-change': {
    verdict: ask,
    because: 'it changes what others’ machines run by themselves',
    instead: 'propose the change and let a person apply it',
    shows: ['echo x > .github/workflows/ci.yml', 'npm pkg set scripts.postinstall=x'],
    allows: ['cat .github/workflows/ci.yml', 'npm pkg get scripts'],
  },
  'agent-settings': {
    verdict: ask,
    because: 'it changes what a coding agent may do',
    shows: ['echo {} > .mcp.json', 'rm opencode.json'],
    allows: ['cat .mcp.json'],
  },
  permissions: {
    verdict: ask,
    because: 'it changes who may use a file',
    instead: 'chmod only the file that needs it, inside the workspace',
    shows: ['chmod 777 src', 'chown root file', 'chmod -R a+w .', 'chmod 600 /etc/hosts'],
    allows: ['chmod +x scripts/run.sh', 'chmod 644 README.md'],
  },
  'delete-many': {
    verdict: ask,
    because: 'which files it removes is not known before it runs',
    instead: 'name the files',
    shows: ['rm *.ts', 'rm "$file"', 'cat list | xargs rm'],
    allows: ['rm a.ts b.ts', 'rm *.log'],
  },
  'delete-recursive': {
    verdict: ask,
    because: 'it removes a whole folder of work',
    instead: 'remove the files you mean by name, or only what a build makes again',
    shows: [
      'rm -rf src',
      'rm -r docs/old',
      "find . -name '*.ts' -mtime +1 -delete | cat; rm -r lib",
      'git rm -rf docs',
    ],
    allows: ['rm -rf dist', 'rm -rf ./build coverage', 'echo "rm -rf src"'],
  },
  'delete-outside': {
    verdict: ask,
    because: 'it removes something outside the workspace',
    shows: ['rm /etc/hosts', 'rm -rf ~/Documents', 'rm -rf ../other'],
    allows: ['rm -rf /tmp/scratch'],
  },
  'delete-history': {
    verdict: ask,
    because: 'it removes the history of the repository',
    shows: ['rm -rf .git', 'rm .git/index'],
    allows: ['git gc'],
  },
  'git-discard': {
    verdict: ask,
    because: 'it throws away work that was never committed',
    instead: 'git stash keeps it',
    shows: [
      'git reset --hard',
      'git checkout -- src/a.ts',
      'git clean -fd',
      'git stash drop',
      'git branch -D x',
      'git restore .',
    ],
    allows: ['git reset HEAD~1', 'git stash', 'git checkout main', 'git clean -n', 'git restore --staged a'],
  },
  'git-destroy': {
    verdict: ask,
    because: 'it removes history that nothing can bring back',
    shows: ['git reflog expire --expire=now --all', 'git gc --prune=now', 'git filter-branch --all'],
    allows: ['git reflog', 'git gc'],
  },
  'git-config': {
    verdict: ask,
    because: 'it changes what git runs or where it sends',
    shows: ['git config core.hooksPath ./h', 'git remote set-url origin x', 'echo x >> .git/config'],
    allows: ['git config user.email a@b.c', 'git remote -v'],
  },
  'git-push': {
    verdict: ask,
    because: 'others will see it',
    instead: 'leave the commits on the local branch; a person pushes',
    shows: ['git push', 'git push origin feature', 'git -C sub push'],
    allows: ['git push --dry-run', 'git commit -m "git push"'],
  },
  'git-push-protected': {
    verdict: ask,
    because: 'it pushes to a protected branch, or does not say to which',
    instead: 'push a branch of its own by name',
    shows: ['git push origin main', 'git push', 'git push origin HEAD:master'],
    allows: ['git push --dry-run origin main'],
  },
};
