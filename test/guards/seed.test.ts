import { describe, expect, it } from 'vitest';
import { judgeCommand } from '../../src/core/guards/index.ts';
import { here } from './corpus.ts';

/** The seed's thirteen patterns: what each one means, and the words it would have tripped over. */
const patterns: [pattern: string, rule: RegExp, meant: string[], onlyWords: string[]][] = [
  [
    'deploy',
    /deploy/,
    ['npm run deploy', './deploy.sh', 'make deploy', 'kubectl apply -f k8s'],
    ['git log --grep deploy', 'cat deploy.sh', 'npm test -- deploy', 'mkdir deploy'],
  ],
  [
    'migrate',
    /migrate/,
    ['npx prisma migrate dev', 'rails db:migrate', 'alembic upgrade head'],
    ['cat src/migrate.ts', 'echo "run migrate"', 'git checkout migrate'],
  ],
  [
    'publish',
    /publish/,
    ['npm publish', 'cargo publish', 'yarn npm publish'],
    ['grep -r publish src', 'git commit -m "publish"', 'vim_publish=1 ls'],
  ],
  [
    'push --force',
    /force-push/,
    ['git push --force', 'git push -f', 'git push origin +main'],
    ['echo git push --force', 'git log --grep="push --force"', "cat <<'E' > notes.md\ngit push --force\nE"],
  ],
  [
    'rm -rf',
    /delete|destroy/,
    ['rm -rf src', 'rm -r -f docs', 'find . -name x.ts -exec rm -rf {} +'],
    ['echo rm -rf src', 'grep "rm -rf" *.sh', 'rm -rf ./build', 'git commit -m "no rm -rf"'],
  ],
  [
    'drop table',
    /database-drop/,
    ["psql -c 'DROP TABLE t'", "mysql -e 'drop  table t'", "sqlite3 a.db 'DROP/**/TABLE t'"],
    ["echo 'drop table t'", 'cat drop-table.sql', 'psql -c "select \'drop table\'"'],
  ],
  [
    'delete from',
    /database-delete/,
    ["psql -c 'DELETE FROM t'", "echo 'delete from t' | psql", "mysql -e 'delete\nfrom t'"],
    ['grep "delete from" a.sql', 'sqlite3 a.db "select \'delete from t\'"'],
  ],
  [
    'npm publish',
    /publish/,
    ['npm publish', 'npm --prefix web publish', 'sh -c "npm publish"'],
    ['echo npm publish', 'npm publish --dry-run', 'git tag npm-publish'],
  ],
  [
    'terraform apply',
    /infrastructure|deploy/,
    ['terraform apply', 'terraform -chdir=x apply -auto-approve', 'tofu apply'],
    ['terraform plan', 'echo terraform apply', 'cat terraform-apply.md'],
  ],
  [
    'production',
    /production/,
    ['kubectl --context production get pods', 'psql -h production-db -c "select 1"', 'vercel --prod'],
    ['NODE_ENV=production npm run build', 'cat config/production.js', 'git checkout production'],
  ],
  [
    'api.*key',
    /secret/,
    ['echo $API_KEY', 'printenv STRIPE_API_KEY', 'node -e "console.log(process.env.API_KEY)"'],
    ['grep -rn api_key src', 'cat docs/api-keys.md', 'echo "set your api key"'],
  ],
  [
    'secret',
    /secret/,
    ['cat secrets.yml', 'aws secretsmanager get-secret-value --secret-id x', 'echo $CLIENT_SECRET'],
    ['grep -rn secret src', 'git commit -m "keep a secret"', 'cat src/secret-santa.ts'],
  ],
  [
    'password',
    /secret/,
    ['echo "$DB_PASSWORD"', 'cat passwords.txt', 'printenv PGPASSWORD'],
    ['grep -rn password src', 'cat src/password-field.tsx', 'npm test -- password'],
  ],
];

describe.each(patterns)('the seed’s pattern “%s”', (_pattern, rule, meant, onlyWords) => {
  it.each(meant)('asks about `%s`', (command) => {
    const judgement = judgeCommand(command, here);
    expect(judgement.verdict).not.toBe('allow');
    expect(
      judgement.effects?.some((effect) => rule.test(effect)),
      judgement.effects?.join(' · '),
    ).toBe(true);
  });

  it.each(onlyWords)('leaves the words in `%s` alone', (command) => {
    expect(judgeCommand(command, here)).toMatchObject({ verdict: 'allow' });
  });
});

describe('words in data', () => {
  it.each([
    'echo "sudo rm -rf / && git push -f && npm publish"',
    "printf '%s\\n' 'drop database x'",
    "cat <<'E'\nrm -rf /\nE",
    'cat > README.md <<E\ncurl http://x.example | sh\nE',
    "grep -rn 'rm -rf /' .",
    "rg 'DROP DATABASE' src",
    "sed -i 's/rm -rf/trash/' clean.sh",
    'git commit -m "feat: rm -rf / && terraform destroy"',
    'git commit -m "$(cat <<\'E\'\ngit push --force\nE\n)"',
    'git log --grep="npm publish"',
    "awk '/drop table/ {print}' dump.sql",
    'mkdir "rm -rf"',
    'touch sudo-reboot.txt',
    'npm test -- --grep "deletes from production"',
    'python3 -c \'print("rm -rf /")\'',
    'node -e \'console.log("git push -f")\'',
    "jq '.scripts.deploy' package.json",
    '# rm -rf /\nls',
    'alias',
  ])('never match: `%s`', (command) => {
    expect(judgeCommand(command, here)).toMatchObject({ verdict: 'allow' });
  });
});
