import type { RuleTable } from './rule-table.ts';

const ask = 'ask' as const;

/** Databases, clouds, releases. */
export const services: RuleTable<
  | 'database-write'
  | 'database-delete'
  | 'database-drop'
  | 'database-migrate'
  | 'database-unknown'
  | 'cloud-change'
  | 'cloud-delete'
  | 'infrastructure'
  | 'deploy'
  | 'production'
> = {
  'database-write': {
    verdict: ask,
    because: 'it changes a database',
    shows: ['psql -c "insert into t values (1)"', 'redis-cli set a b', 'createdb x'],
    allows: ["psql -c 'select 1'", "sqlite3 dev.db 'create table t(a)'"],
  },
  'database-delete': {
    verdict: ask,
    because: 'it deletes rows',
    instead: 'select them first, and delete with a WHERE a person has read',
    shows: ["psql -c 'DELETE FROM users'", "mysql -e 'update t set a=1'", 'redis-cli del k'],
    allows: ["echo 'delete from users'", "grep 'DELETE FROM' schema.sql"],
  },
  'database-drop': {
    verdict: ask,
    because: 'it drops tables',
    shows: ["psql -c 'drop table users'", "sqlite3 a.db 'DROP TABLE t'", "mysql -e 'TRUNCATE t'"],
    allows: ["git commit -m 'drop table users'"],
  },
  'database-migrate': {
    verdict: ask,
    because: 'it changes the shape of a database',
    instead: 'write the migration and let a person run it',
    shows: [
      'alembic upgrade head',
      'npm run db:migrate',
      'rails db:migrate',
      'npx prisma migrate dev',
      'python manage.py migrate',
    ],
    allows: ['alembic history', 'python manage.py makemigrations', 'npx prisma generate'],
  },
  'database-unknown': {
    verdict: ask,
    because: 'what these statements do is not known',
    shows: ['psql -f dump.sql', 'mysql db < dump.sql', 'psql -c "$SQL"'],
    allows: ['pg_dump db > dump.sql'],
  },
  'cloud-change': {
    verdict: ask,
    because: 'it changes something others use',
    shows: ['aws ec2 run-instances --image-id x', 'gh pr create --fill', 'az vm start -n x'],
    allows: ['aws ec2 describe-instances', 'gh pr view 1', 'az vm list'],
  },
  'cloud-delete': {
    verdict: ask,
    because: 'it removes something that may be in use',
    shows: [
      'aws s3 rm s3://b --recursive',
      'kubectl delete pod x',
      'docker system prune -af',
      'terraform destroy',
      'gh repo delete x',
    ],
    allows: ['kubectl delete pod x --dry-run=client', 'docker ps -a'],
  },
  infrastructure: {
    verdict: ask,
    because: 'it changes infrastructure',
    instead: 'show the plan',
    shows: ['terraform apply', 'pulumi up', 'ansible-playbook site.yml'],
    allows: ['terraform plan', 'pulumi preview', 'ansible-playbook site.yml --check'],
  },
  deploy: {
    verdict: ask,
    because: 'it makes a change live',
    shows: ['npm run deploy', './deploy.sh', 'kubectl apply -f k8s/', 'make release', 'helm upgrade a b'],
    allows: ['echo deploy', 'grep -r deploy .', 'kubectl apply -f k8s/ --dry-run=client'],
  },
  production: {
    verdict: ask,
    because: 'it touches production',
    shows: ['psql -h prod-db.example.com -c "select 1"', 'kubectl --context production get pods'],
    allows: ['NODE_ENV=production npm run build', 'npm ci --omit=dev', 'git log production'],
  },
};
