import { type Call, report, type World } from '../call.ts';
import { fetches } from '../hosts.ts';
import { shown } from '../marks.ts';
import { targets, tool } from './build.ts';
import { type Arguments, type Family, many } from './family.ts';

/** Tools that check, test, format, bundle or serve the workspace. */
export const projectTools: Family = {
  ...many(
    'tsc vue-tsc tsd tsup tsdown esbuild swc babel rollup webpack webpack-cli webpack-dev-server parcel vite vitest rspack rsbuild rolldown snowpack microbundle ncc next nuxt nuxi gatsby astro remix svelte-kit svelte-check ng vue vue-cli-service react-scripts craco eleventy hexo docusaurus vuepress vitepress storybook start-storybook build-storybook typedoc jsdoc documentation api-extractor jest mocha ava tap tape jasmine karma qunit cypress playwright puppeteer testcafe nightwatch wdio nyc c8 istanbul eslint prettier biome rome oxlint xo standard stylelint tslint jshint jscs dprint rustfmt clippy-driver markdownlint markdownlint-cli2 remark textlint alex write-good cspell depcheck knip ts-prune madge dependency-cruiser size-limit bundlesize publint attw syncpack npm-check npm-check-updates ncu license-checker npm-run-all run-s run-p wait-on graphql-codegen openapi-generator openapi-generator-cli swagger-cli redocly spectral quicktype json2ts msw lint-staged asc svgo imagemin sharp-cli pngquant optipng jpegoptim terser uglifyjs csso cleancss html-minifier htmlhint stencil lit-analyzer electron plop hygen yo',
    tool,
  ),
  ...many(
    'pytest py.test nosetests nose2 unittest mypy pyright pytype pyre ruff black isort autopep8 yapf flake8 pylint pycodestyle pydocstyle pyflakes bandit vulture radon xenon coverage sphinx-build sphinx-apidoc sphinx-autobuild pdoc pydoc-markdown pyupgrade docformatter autoflake interrogate safety pip-audit pip-compile pip-sync pipdeptree pyinstaller cythonize maturin behave robot nbqa nbstripout papermill jupytext towncrier bumpversion bump2version bump-my-version cookiecutter copier snakemake manim pelican nikola',
    tool,
  ),
  ...many(
    'rspec rubocop standardrb reek brakeman steep srb sorbet yard rdoc cucumber minitest zeitwerk erblint haml-lint slim-lint jekyll middleman nanoc solargraph fasterer',
    tool,
  ),
  ...many(
    'phpunit pest phpstan psalm phpcs phpcbf php-cs-fixer rector infection phpmd phan deptrac pint ecs codecept behat phpspec phpbench',
    tool,
  ),
  ...many(
    'gofmt goimports golangci-lint staticcheck revive gosec errcheck ineffassign govulncheck mockgen stringer wire ginkgo gotestsum gotests sqlc buf templ',
    { ...tool },
  ),
  ...many(
    'scalafmt scalafix ktlint detekt checkstyle spotbugs pmd google-java-format clang-format clang-tidy cppcheck cpplint iwyu include-what-you-use astyle uncrustify indent splint scan-build swiftformat swiftlint ormolu fourmolu hlint stylish-haskell ocamlformat nixfmt alejandra stylua luacheck shellcheck shfmt bats checkbashisms hadolint yamllint actionlint jsonlint taplo editorconfig-checker ec vale proselint dotenv-linter sqlfluff tflint ansible-lint kubeval kubeconform conftest helm-docs terraform-docs checkov tfsec gcov lcov genhtml gcovr doxygen asciidoctor asciidoctor-pdf bibtex biber makeindex mdbook hugo zola dot neato fdp circo twopi plantuml mmdc d2',
    tool,
  ),
  'setup.py': {
    subs: {
      ...many(
        'build build_ext sdist bdist bdist_wheel test check clean egg_info develop --version --name build_py',
        'is:build',
      ),
      install: 'is:install-outside',
      ...many('upload register', 'is:publish'),
    },
  },
  ...many(
    'uvicorn gunicorn hypercorn daphne waitress-serve celery streamlit gradio dramatiq rq scrapy puma unicorn rackup thin sidekiq foreman overmind honcho hivemind',
    tool,
  ),
  ...many('flask django-admin', {
    is: 'build',
    takes: 'text',
    options: { '--app -A --env-file -e': 'text' },
    also: (args, _call, world) => {
      if (/^(shell|dbshell)$/.test(args.operands[0] ?? ''))
        report(world, 'interactive', shown(args.operands[0] ?? ''));
      if (args.operands[0] === 'db' && /^(upgrade|downgrade|stamp)$/.test(args.operands[1] ?? ''))
        report(world, 'database-migrate', shown(args.operands.join(' ')));
      if (args.operands[0] === 'migrate') report(world, 'database-migrate', 'migrate');
    },
  }),
  rake: {
    ...targets,
    options: {
      '-e --execute -p --execute-print -E --execute-continue': 'is:run-code',
      '-f --rakefile -r --require -I --libdir -R --rakelibdir': 'load',
      '-C -j --jobs': 'text',
    },
  },
  mix: {
    ...targets,
    options: { '-e --eval': 'is:run-code' },
    also: (args, _call, world) => {
      if (args.operands[0] === 'eval') report(world, 'run-code', 'mix eval');
      if (/^hex\.publish|^hex\.retire/.test(args.operands[0] ?? ''))
        report(world, 'publish', shown(args.operands[0] ?? ''));
    },
  },
  jupyter: {
    subs: { ...many('nbconvert execute kernelspec --version --paths troubleshoot trust', 'is:build') },
    otherwise: 'is:network-listen',
  },
  ...many('webpack-bundle-analyzer source-map-explorer act', tool),
  expo: {
    subs: {
      ...many('start lint export prebuild doctor install config customize', 'is:build'),
      ...many('publish upload:ios upload:android', 'is:publish'),
    },
    otherwise: 'is:deploy',
  },
  ...many('rimraf del-cli', { takes: 'delete-tree' }),
  ...many('mkdirp', { takes: 'write' }),
  ...many('shx', { wraps: 0 }),
  ...many('copyfiles cpy cpx', { takes: 'read', last: 'write' }),
  ...many('serve http-server live-server browser-sync json-server mkdocs_serve', {
    is: 'build',
    takes: 'text',
  }),
  mkdocs: { subs: { ...many('build serve new get-deps', 'is:build'), 'gh-deploy': 'is:deploy' } },
  ...many('gh-pages', { is: 'deploy', takes: 'text' }),
  ...many('ctags etags cscope gtags global', {
    takes: 'read',
    options: { '-f -o': 'write', '--languages --exclude --fields --extras --kinds-all': 'text' },
  }),
  ...many('perf', {
    subs: {
      ...many('stat record trace', {
        wraps: 0,
        options: { '-o --output': 'write', '-e --event -F --freq -p --pid -C --cpu': 'text' },
      }),
      ...many('report annotate list bench script diff top', 'text'),
    },
  }),
  ...many('ab wrk hey bombardier oha autocannon k6 vegeta siege locust artillery lighthouse', {
    is: 'build',
    takes: 'text',
    options: {
      '-n -c -d -t -z -q -m -T -p -P -C -s -i -a -H -D -A -b -r --rate --duration --connections -f --locustfile -u --users --vus':
        'text',
      '--host --url': 'fetch',
    },
    also: (args, call, world) => {
      for (const word of args.operands)
        if (/:\/\/|^localhost\b|^[\w.-]+:\d+/.test(word)) fetches(world, call, word);
    },
  }),
  ...many(
    'semgrep gitleaks codespell typos lychee antora dockerfilelint electron-builder chromatic react-native conan platformio pio arduino-cli idf.py west cross trunk odin v lake scala-cli kotlin prove carton busted clj-kondo cljfmt zprint opa promtool conftest trivy grype syft snyk dvc kedro nextflow airflow-lint detox maestro xcodegen swift-format periphery ktfmt buildifier gazelle cspell eclint ls-lint commitizen gitlint reuse licensee scancode interrogate wily pyre-check nbdev quarto marp slidev revealjs typst tectonic chktex lacheck vsg verilator iverilog yosys ghdl',
    targets,
  ),
  dbt: {
    subs: { ...many('compile test parse ls list docs debug deps clean source show', 'is:build') },
    otherwise: 'is:database-write',
  },
  ...many('opam ghcup vcpkg cpanm cpan', {
    own: true,
    also: (_args: Arguments, call: Call, world: World) => {
      const isLooking =
        /^(list|show|search|info|tree|env|switch|config|--version|help)$/.test(call.args[0] ?? '') &&
        !call.args.includes('create');
      const isOwn = call.args.includes('--installdeps') || call.program === 'vcpkg';
      report(
        world,
        isLooking ? 'read' : isOwn ? 'install' : 'install-outside',
        shown(`${call.program} ${call.args.join(' ')}`),
      );
    },
  }),
  ...many('nginx apachectl httpd caddy redis-server mongod postgres mysqld', {
    own: true,
    also: (_args: Arguments, call: Call, world: World) => {
      const isLooking =
        call.args.length > 0 &&
        call.args.every((arg) =>
          /^(-t|-T|-v|-V|-h|--version|--help|version|validate|configtest|fmt)$/.test(arg),
        );
      report(world, isLooking ? 'read' : 'network-listen', shown(`${call.program} ${call.args.join(' ')}`));
    },
  }),
};
