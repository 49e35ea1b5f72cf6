import { type Call, report, type World } from '../call.ts';
import { shown } from '../marks.ts';
import { runsTask } from '../tasks.ts';
import { type Arguments, type Family, type Knowledge, many } from './family.ts';

/** A migration tool: some verbs look, some write files, the others change a database. */
const migrating = (looks: string, writesFiles: string, destroys: string): Knowledge => ({
  subs: {
    ...many(looks, 'text'),
    ...many(writesFiles, 'is:write'),
    ...many(destroys, 'is:database-destroy'),
  },
  otherwise: { is: 'database-migrate', takes: 'text' },
});

/** Tools and frameworks that change the shape of a database. */
export const migrations: Family = {
  alembic: migrating('current history heads branches show check', 'revision init merge edit', ''),
  prisma: {
    subs: {
      ...many('generate format validate init version studio', 'is:build'),
      migrate: {
        subs: {
          ...many('status diff', 'text'),
          reset: 'is:database-destroy',
          ...many('dev deploy resolve', 'is:database-migrate'),
        },
      },
      db: {
        subs: {
          pull: 'is:write',
          seed: 'is:database-write',
          execute: 'is:database-unknown',
          push: { is: 'database-migrate', takes: 'text', flags: { '--force-reset': 'is:database-destroy' } },
        },
      },
    },
  },
  'drizzle-kit': migrating('check up studio', 'generate introspect pull', 'drop'),
  ...many('knex sequelize sequelize-cli typeorm mikro-orm', {
    is: 'build',
    takes: ['task', 'text'],
    also: (args: Arguments, _call: Call, world: World) => {
      const verb = args.operands[0] ?? '';
      if (
        /(run|up|down|latest|revert|sync|create|undo|refresh|fresh|seed)/.test(verb) &&
        !/(make|generate|status|list|show|create:file|create$)/.test(verb)
      )
        report(world, /drop|fresh/.test(verb) ? 'database-destroy' : 'database-migrate', shown(verb));
      if (/drop/.test(verb)) report(world, 'database-destroy', shown(verb));
    },
  }),
  ...many('flyway liquibase goose dbmate migrate sqitch atlas diesel hasura golang-migrate', {
    takes: 'text',
    options: { '-path -database -source -url -d -u': 'text' },
    also: (args: Arguments, _call: Call, world: World) => {
      const words = args.operands.filter((word) => !/^-|:\/\//.test(word));
      const verb =
        words.find((word) =>
          /^(info|status|version|validate|history|inspect|lint|diff|new|create|add|generate|dump|check|create-migration|print-schema|wait|help|migrate|update|up|down|clean|drop|drop-all|redo|reset|repair|apply|deploy|rollback|run|revert|force|goto|setup|baseline|schema|metadata)$/.test(
            word,
          ),
        ) ?? '';
      const isLooking =
        /^(info|status|version|validate|history|inspect|lint|diff|dump|check|print-schema|wait|help)$/.test(
          verb,
        );
      const kind = isLooking
        ? 'database-read'
        : /^(new|create|add|generate|create-migration)$/.test(verb)
          ? 'write'
          : /^(clean|drop|drop-all|reset)$/.test(verb)
            ? 'database-destroy'
            : 'database-migrate';
      report(world, kind, shown(words.join(' ')));
    },
  }),
  'manage.py': {
    subs: {
      ...many(
        'test check runserver makemigrations showmigrations sqlmigrate collectstatic startapp startproject compilemessages makemessages diffsettings inspectdb dumpdata findstatic help version spectacular show_urls validate_templates graph_models',
        'is:build',
      ),
      migrate: 'is:database-migrate',
      ...many('flush reset_db reset_schema', 'is:database-destroy'),
      ...many(
        'loaddata createsuperuser changepassword clearsessions remove_stale_contenttypes seed createcachetable',
        'is:database-write',
      ),
      ...many('shell shell_plus dbshell', 'is:interactive'),
      runscript: 'is:run-workspace',
    },
    otherwise: { is: 'run-workspace', takes: ['task', 'text'] },
  },
  ...many('artisan rails console', {
    takes: 'text',
    is: 'run-workspace',
    also: (args: Arguments, call: Call, world: World) => {
      const [verb = '', code] = args.operands;
      if (/^(down|up|env:decrypt)$/.test(verb))
        report(world, verb === 'env:decrypt' ? 'read-secret' : 'deploy', verb);
      if (/^(tinker|console|c|dbconsole|db)$/.test(verb)) report(world, 'interactive', shown(verb));
      else if (/^(runner|r)$/.test(verb)) report(world, 'run-code', shown(code ?? ''));
      else if (
        /^(migrate:(fresh|reset|refresh)|db:(wipe|drop|reset|purge)|doctrine:(database|schema):drop)/.test(
          verb,
        )
      )
        report(world, 'database-destroy', verb);
      else if (
        /^(migrate|db:(migrate|rollback|schema:load|setup|prepare|create)|doctrine:migrations:migrate|doctrine:schema:update)/.test(
          verb,
        ) &&
        !/status/.test(verb)
      )
        report(world, 'database-migrate', verb);
      else if (
        /^(db:seed|db:fixtures:load|doctrine:fixtures:load|credentials:(show|edit)|encrypted:)/.test(verb)
      )
        report(world, /credentials|encrypted/.test(verb) ? 'read-secret' : 'database-write', verb);
      else if (
        !/^(make:|generate|g$|test|serve|server|s$|route|routes|list|about|cache:|config:|view:|optimize|queue:|schedule:list|vendor:publish|package:discover|key:generate|storage:link|migrate:status|assets:|zeitwerk:|stats|notes|debug:|lint:|event:list|model:show|db:(show|table|monitor|version|migrate:status))/.test(
          verb,
        )
      )
        runsTask(world, verb);
      void call;
    },
  }),
};
