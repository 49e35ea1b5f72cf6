import { dictionaryForm } from './irregular.ts';
import { stem } from './stem.ts';

/** Abbreviations of everyday engineering and the words they stand for. */
const table: Readonly<Record<string, readonly string[]>> = {
  pr: ['pull request', 'merge request'],
  ci: ['continuous integration'],
  cd: ['continuous delivery', 'continuous deployment'],
  e2e: ['end to end'],
  ui: ['user interface'],
  ux: ['user experience'],
  api: ['programming interface'],
  cli: ['command line'],
  db: ['data base'],
  os: ['operating system'],
  vm: ['virtual machine'],
  k8s: ['kubernetes cluster'],
  rtl: ['right to left'],
  ltr: ['left to right'],
  dlq: ['dead letter', 'dead letter queue'],
  dst: ['daylight saving', 'summer time'],
  tz: ['time zone'],
  oom: ['out of memory', 'memory exhausted'],
  ram: ['main memory'],
  ml: ['machine learning'],
  llm: ['language model'],
  sso: ['single sign on'],
  '2fa': ['two factor', 'second factor', 'multi factor'],
  mfa: ['multi factor'],
  cdn: ['content delivery network'],
  lb: ['load balancer'],
  ttl: ['time to live'],
  sla: ['service level agreement'],
  slo: ['service level objective'],
  poc: ['proof of concept'],
  rfc: ['request for comments'],
  adr: ['decision record'],
  wip: ['work in progress'],
  tdd: ['test driven'],
  orm: ['object relational'],
  fk: ['foreign key'],
  pk: ['primary key'],
  regex: ['regular expression'],
  env: ['environment variable'],
  gc: ['garbage collection', 'garbage collector'],
  pii: ['personal data', 'personal information'],
  i18n: ['internationalization'],
  l10n: ['localization'],
  a11y: ['accessibility'],
  login: ['log in', 'sign in', 'sign on', 'logged in', 'signed in'],
  logout: ['log out', 'sign out', 'logged out', 'kicked out', 'signed out'],
  signup: ['sign up'],
  startup: ['start up', 'boot up', 'cold start'],
  setup: ['set up'],
  backup: ['back up'],
  rollback: ['roll back'],
  rollout: ['roll out'],
  timeout: ['time out', 'timed out'],
  cleanup: ['clean up'],
  lockfile: ['lock file'],
  logfile: ['log file'],
  dataset: ['data set'],
  filename: ['file name'],
  username: ['user name'],
  codebase: ['code base'],
  outage: ['went down', 'was down', 'not available', 'were down'],
  standup: ['stand up'],
};

const key = (phrase: string): string =>
  phrase
    .split(' ')
    .map((word) => stem(dictionaryForm(word)))
    .join(' ');

/** From the stems of a phrase to the term of its abbreviation. */
export const phraseAliases: ReadonlyMap<string, string> = new Map(
  Object.entries(table).flatMap(([alias, phrases]) =>
    phrases.map((phrase) => [key(phrase), stem(dictionaryForm(alias))] as const),
  ),
);

export const phraseWordsMax = 3;
