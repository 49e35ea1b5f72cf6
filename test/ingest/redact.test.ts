import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeRedactor, readKey } from '../../src/edge/ingest/redact.ts';
import { isSecretName, isSecretValue, secretValues } from '../../src/edge/ingest/secret-values.ts';
import { tokenShapes } from '../../src/edge/ingest/token-shapes.ts';
import { scratchFolder } from '../config/scratch.ts';

const key = new Uint8Array(32).fill(7);
const redactor = (env: Record<string, string> = {}, declared: string[] = []) =>
  makeRedactor({ env, declared, key });
const mark = /⟦secret:[0-9a-f]{8}⟧/;
const wholly = new RegExp(`^${mark.source}$`);

/** Letters and digits as a random token has them, the same in every run; joined so that no scanner takes this file for a leak. */
const random = (length: number, alphabet = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vWxYz') =>
  Array.from({ length }, (_, n) => alphabet[(n * 7 + ((n * n) % 11)) % alphabet.length]).join('');
const hex = (length: number) => random(length, '0a1b2c3d4e5f6789');

/** One example for each shape, by its name; the text around the secret must stay. */
const examples: Record<string, string[]> = {
  GitHub: [`ghp_${random(36)}`, `gho_${random(36)}`, `ghs_${random(36)}`],
  'GitHub fine-grained': [`github_pat_${random(22)}_${random(59)}`],
  GitLab: [`glpat-${random(20)}`],
  'OpenAI, Anthropic and alike': [
    `sk-${random(48)}`,
    `sk-proj-${random(60)}`,
    `sk-ant-api03-${random(90)}`,
    `sk-or-v1-${hex(64)}`,
  ],
  Stripe: [`sk_live_${random(24)}`, `rk_test_${random(24)}`],
  'webhook signing': [`whsec_${random(32)}`],
  'AWS access key': [`AKIA${random(16, 'ABCDEFGHIJKLMNOP234567')}`],
  Slack: [`xoxb-${random(12, '1234567890')}-${random(24)}`],
  'Slack app': [`xapp-1-${random(40)}`],
  npm: [`npm_${random(36)}`],
  PyPI: [`pypi-AgE${random(60)}`],
  'Google API key': [`AIza${random(35)}`],
  'Google OAuth': [`ya29.${random(60)}`],
  'Google client secret': [`GOCSPX-${random(28)}`],
  'Hugging Face': [`hf_${random(34)}`],
  Groq: [`gsk_${random(52)}`],
  xAI: [`xai-${random(80)}`],
  Replicate: [`r8_${random(37)}`],
  Perplexity: [`pplx-${random(48)}`],
  SendGrid: [`SG.${random(22)}.${random(43)}`],
  DigitalOcean: [`dop_v1_${hex(64)}`],
  Docker: [`dckr_pat_${random(27)}`],
  Vault: [`hvs.CAESI${random(90)}`],
  Linear: [`lin_api_${random(40)}`],
  Notion: [`ntn_${random(46)}`],
  Shopify: [`shpat_${hex(32)}`],
  Databricks: [`dapi${hex(32)}`],
  Supabase: [`sbp_${hex(40)}`, `sb_secret_${random(30)}`],
  Sentry: [`sntrys_${random(60)}`],
  Postman: [`PMAK-${hex(24)}-${hex(34)}`],
  age: [`AGE-SECRET-KEY-1${random(58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')}`],
  JWT: [`eyJ${random(30)}.eyJ${random(60)}.${random(43)}`],
  'private key': [
    `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${random(64)}\n${random(64)}\n${random(9)}=\n-----END RSA PRIVATE KEY-----`,
    `-----BEGIN PRIVATE KEY-----\\n${random(64)}\\n-----END PRIVATE KEY-----`,
    `-----BEGIN OPENSSH PRIVATE KEY-----\n${random(70)}\n${random(70)}`,
  ],
};

/** Shapes that keep what stands before the secret. */
const inContext: Record<string, [before: string, secret: string, after: string][]> = {
  'AWS secret key': [
    ['aws_secret_access_key = ', random(40), '\n'],
    ['"SecretAccessKey": "', random(40), '"'],
  ],
  'Slack webhook': [
    ['https://hooks.slack.com/services/', `T${random(8)}/B${random(8)}/${random(24)}`, ' ok'],
  ],
  'Discord webhook': [['https://discord.com/api/webhooks/123456789012345678/', random(68), ' ok']],
  'Telegram bot': [['https://api.telegram.org/bot', `123456789:${random(35)}`, '/sendMessage']],
  'Azure storage': [['AccountName=x;AccountKey=', `${random(86)}==`, ';']],
  'authorization header': [
    ['Authorization: Bearer ', random(20), '\n'],
    ['"authorization":"Basic ', 'dXNlcjpwYXNzd29yZA==', '"'],
    ["-H 'Authorization: token ", random(12), "'"],
  ],
  'key header': [
    ['x-api-key: ', random(24), '\n'],
    ['"X-API-Key":"', random(24), '"'],
  ],
  bearer: [['the header is Bearer ', random(24), ' as sent']],
  'password in an address': [
    ['postgres://app:', 'hunter2', '@db:5432/app'],
    ['https://user:', 'p@ss!w0rd', '@example.com/x'],
    ['redis://:', random(12), '@cache'],
  ],
};

describe('a token shape', () => {
  it.each(tokenShapes.map(({ name }) => name))('called %s has an example', (name) => {
    expect(examples[name] ?? inContext[name]).toBeTruthy();
  });

  it.each(Object.entries(examples).flatMap(([name, all]) => all.map((one) => [name, one])))(
    '%s is found anywhere',
    (_name, token) => {
      const redact = redactor();
      expect(redact(token)).toMatch(wholly);
      // Ends of colour codes, escapes and encodings touch a token in real output.
      for (const [before, after] of [
        ['', '\n'],
        ['x = "', '",'],
        ['\x1b[32m', '\x1b[0m'],
        ['{"out":"a\\n', '\\n"}'],
        ['key%3D', '&b=1'],
        ['(', ')'],
      ]) {
        const [head, rest] = redact(`${before}${token}${after}`).split(mark);
        expect([head, rest]).toEqual([before, after]);
      }
    },
  );

  it.each(Object.entries(inContext).flatMap(([name, all]) => all.map((one) => [name, ...one])))(
    '%s keeps %j and hides what follows',
    (_name, before, secret, after) => {
      const out = redactor()(`see ${before}${secret}${after}`);
      expect(out).not.toContain(secret);
      expect(out.replace(mark, '')).toBe(`see ${before}${after}`);
    },
  );
});

describe('ordinary text', () => {
  it.each([
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8 and sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'run 20310501-073000-a1b2c3 of 123e4567-e89b-42d3-a456-426614174000',
    'call_Zx8Kd0PqLm3VbN1sT7wYhG2c toolu_01A09q90qw90lq917835lq9 msg_bdrk_01XYZabc ses_7a1b2c3d4e5f60718293 item_0123456789abcdef',
    'sha512-Oc2h6bmNPUq2QVbsb2Zk0bL4FBN0x1o8tZ0lGw0pA5Fq7Lk3sM9vR2yD4uXwEiCjHnTgB1aKeSfPzVdYrQmI6w==',
    'task-1234567890abcdefghijklmnop, risk-assessment-2031-final-version and class="sk-fading-circle sk-cube-grid-container-2"',
    'https://example.com/a/b?c=d#e http://localhost:5173/@vite/client ssh://git@example.com:22/repo.git',
    'https://user:$TOKEN@host https://user:{{TOKEN}}@host postgres://postgres:postgres@localhost/x https://user:****@host',
    'Authorization: Bearer $TOKEN, Authorization: Basic authentication is required; bearer authentication-is-not-supported',
    'npm_config_registry npm_package_dependencies_something npm_lifecycle_event',
    '/usr/local/lib/node_modules/.bin C:\\Users\\me\\AppData ~/.config/tireless/config.yaml',
    'eyJ is how a JWT begins; a.b.c and 1.2.3-beta.4 do not',
    '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END PUBLIC KEY-----',
    'the line -----BEGIN PRIVATE KEY----- opens the block, and a line further down closes it',
    'const AKIA = "AKIA"; export const hf_model = sk-learn; AIzaSy',
    'Привет, 世界 🎉 «quotes» ⟦not a mark⟧',
  ])('stays: %s', (text) => {
    expect(redactor({ HOME: '/home/me', LANG: 'en_US.UTF-8', TERM: 'xterm-256color' })(text)).toBe(text);
  });
});

describe('the values of the environment', () => {
  const value = 'Tr0ub4dor&3+/=?x';
  const redact = redactor({ MY_API_KEY: value });

  it('are removed in every spelling, with the same mark for all of them', () => {
    const own = redact(value);
    expect(own).toMatch(wholly);
    for (const spelling of [
      encodeURIComponent(value),
      encodeURIComponent(value).toLowerCase().replace('tr0', 'Tr0'),
      Buffer.from(value).toString('base64'),
      Buffer.from(value).toString('base64url'),
    ]) {
      expect(redact(`a ${spelling} b`)).toBe(`a ${own} b`);
    }
    expect(
      redactor({ A_TOKEN: 'with "quotes"\nand lines 1' })(
        JSON.stringify({ out: 'with "quotes"\nand lines 1' }),
      ),
    ).toMatch(/^\{"out":"⟦secret:[0-9a-f]{8}⟧"\}$/);
  });

  it('are found inside a longer base64 text at every offset', () => {
    for (const prefix of ['', 'u', 'us', 'use', 'user:']) {
      const encoded = Buffer.from(`${prefix}${value} and more`).toString('base64');
      const out = redact(`x ${encoded} y`);
      expect(out, prefix).toMatch(mark);
      for (const part of out.split(mark)) {
        expect(Buffer.from(part.replace(/[xy ]/g, ''), 'base64').toString()).not.toContain(value.slice(2, 8));
      }
    }
  });

  it('give the longer secret its own mark where one begins with another', () => {
    const both = redactor({ A_TOKEN: 'abcdefgh12', B_TOKEN: 'abcdefgh12345678' });
    expect(both('abcdefgh12345678')).toMatch(wholly);
    expect(both('abcdefgh12345678')).not.toBe(both('abcdefgh12'));
  });

  it('stay equal when equal, differ when different, and depend on the key', () => {
    const a = redactor({ A_TOKEN: 'first-value-1', B_TOKEN: 'second-value-2' });
    expect(a('first-value-1')).toBe(redactor({ OTHER_SECRET: 'first-value-1' })('first-value-1'));
    expect(a('first-value-1')).not.toBe(a('second-value-2'));
    const otherKey = makeRedactor({
      env: { A_TOKEN: 'first-value-1' },
      declared: [],
      key: new Uint8Array(32),
    });
    expect(otherKey('first-value-1')).not.toBe(a('first-value-1'));
    const token = `ghp_${random(36)}`;
    expect(redactor({ GH_TOKEN: token })(token)).toBe(redactor()(token));
  });

  it.each([
    'API_KEY',
    'OPENAI_API_KEY',
    'GITHUB_TOKEN',
    'NPM_AUTH_TOKEN',
    'CLIENT_SECRET',
    'SECRET_KEY_BASE',
    'DB_PASSWORD',
    'PGPASSWORD',
    'MYSQL_PWD',
    'SMTP_PASS',
    'gh_pat',
    'AWS_SECRET_ACCESS_KEY',
    'SENTRY_DSN',
    'SLACK_WEBHOOK_URL',
    'GOOGLE_CREDENTIALS',
    'SSH_PRIVATE_KEY',
    'AUTHTOKEN',
    'STRIPE_KEY',
  ])('called %s are secret', (name) => expect(isSecretName(name)).toBe(true));

  it.each([
    'PATH',
    'HOME',
    'PWD',
    'OLDPWD',
    'SSH_AUTH_SOCK',
    'GIT_ASKPASS',
    'KEYBOARD_LAYOUT',
    'MONKEY',
    'PUBLIC_KEY',
    'NEXT_PUBLIC_STRIPE_KEY',
    'SECRET_NAME',
    'TOKEN_TTL',
    'API_KEY_FILE',
    'COMPASS',
    'LANG',
    'AUTHOR',
  ])('called %s are not', (name) => expect(isSecretName(name)).toBe(false));

  it.each([
    'short',
    'password',
    'changeme',
    'production',
    'disabled',
    '12345678901',
    '2031-05-01',
    '127.0.0.1:8080',
    '/run/user/1000/keyring',
    '~/.ssh/id_ed25519',
    'C:\\keys\\mine.pem',
    '../secrets/key',
    'xxxxxxxxxxxx',
    'anonymous',
    '        ',
  ])('that are only %j are not', (text) => expect(isSecretValue(text)).toBe(false));

  it.each([
    'hunter2hunter2',
    'correct horse battery',
    `/${random(39)}`,
    'p4ssw0rd',
    hex(32),
    '123e4567-e89b-42d3-a456-426614174000',
  ])('that are %j are', (text) => expect(isSecretValue(text)).toBe(true));

  it('that are addresses lose only the password', () => {
    const out = redactor({ DATABASE_URL: 'postgres://app:s3cr%2Fet-pw@db.internal:5432/app' });
    expect(out('connect to db.internal:5432 with s3cr/et-pw')).toMatch(
      /^connect to db\.internal:5432 with ⟦secret:\w{8}⟧$/,
    );
    expect(secretValues({ X_URL: 'https://u:%E0%A4%A@h/' }, [])).toEqual(['%E0%A4%A']);
  });

  it('that were declared are removed whatever they look like', () => {
    expect(redactor({ CUSTOMER: 'acme' }, ['CUSTOMER'])('for acme only')).toMatch(
      /^for ⟦secret:\w{8}⟧ only$/,
    );
    expect(redactor({ CUSTOMER: 'abc' }, ['CUSTOMER'])('abc')).toBe('abc');
  });
});

describe('removing secrets', () => {
  it('a second time changes nothing more', () => {
    const redact = redactor({ A_TOKEN: 'first-value-1' });
    const pieces = [
      ...Object.values(examples).flat(),
      ...Object.values(inContext)
        .flat()
        .map((one) => one.join('')),
      'first-value-1',
      ' ',
      '\n',
      'text',
      '://a:',
      '@',
      '⟦',
      '⟧',
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces), { maxLength: 12 }),
        fc.constantFrom(' ', '\n', '","', '⟦', '='),
        (parts, glue) => {
          const once = redact(parts.join(glue));
          expect(redact(once)).toBe(once);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never leaves an environment value in any text', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 40 }),
        fc.string(),
        fc.string(),
        (value, before, after) => {
          fc.pre(isSecretValue(value) && !value.includes('://'));
          expect(redactor({ A_TOKEN: value })(`${before} ${value} ${after}`)).not.toContain(value.trim());
        },
      ),
      { numRuns: 300 },
    );
  });

  it('takes time in proportion to the length of hostile text', () => {
    const redact = redactor({ A_TOKEN: 'first-value-1' });
    const seeds = [
      'eyJ',
      'eyJa.eyJ',
      'eyJaaaaaaaaa.',
      'sk-',
      'sk-a',
      '-----BEGIN PRIVATE KEY-----',
      '-----BEGIN PRIVATE KEY-----\n-a',
      '://a:',
      '://:',
      'Bearer ',
      'bearer a',
      'Authorization: Bearer ',
      'ghp_',
      'github_pat_',
      'SG.',
      'SG.aaaaaaaaaaaaaaaaaaaaaa.',
      'AKIA',
      'xoxb-',
      '\\n',
      '[0m',
      '%3D',
      'first-value-',
      'aws_secret_access_key=',
      'x-api-key: a',
      'a',
      '-',
      ' ',
    ];
    const millisecondsFor = (text: string) => {
      let best = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 2; round++) {
        const start = performance.now();
        redact(text);
        best = Math.min(best, performance.now() - start);
      }
      return best;
    };
    redact('warm up '.repeat(1_000));
    for (const seed of seeds) {
      const text = seed.repeat(Math.ceil(400_000 / seed.length));
      // Quadratic work on so many characters takes half a minute; the bound leaves room for a busy machine.
      expect(millisecondsFor(text), seed).toBeLessThan(1_000);
    }
  });
});

describe('the key', () => {
  it('is made once, for its owner only, and the same for all who start together', async () => {
    const file = join(scratchFolder(), 'home', 'key');
    const keys = await Promise.all(Array.from({ length: 10 }, () => readKey(file)));
    expect(new Set(keys.map((one) => Buffer.from(one).toString('hex')))).toHaveProperty('size', 1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Buffer.from(await readKey(file))).toEqual(readFileSync(file));
  });

  it('that is damaged is refused and kept', async () => {
    const file = join(scratchFolder(), 'key');
    writeFileSync(file, 'short');
    await expect(readKey(file)).rejects.toThrow('holds 5 bytes, expected 32');
    expect(existsSync(file)).toBe(true);
  });
});
