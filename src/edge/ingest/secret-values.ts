import type { Env } from '../home.ts';

/** Shorter values occur in ordinary text by chance. */
const secretCharsMin = 8;
/** A person who declares a variable has decided; below this even that would shred the text. */
const declaredCharsMin = 4;
/** Longer values are looked for by their beginning: no text holds that by chance. */
const searchedCharsMax = 4_096;
const secretsMax = 500;

const secretName =
  /(?:^|_)(?:(?:API|ACCESS|PRIVATE|SECRET|ENCRYPTION|SIGNING|AUTH|MASTER|SSH|DEPLOY|ACCOUNT|SERVICE|LICENSE)?_?KEYS?|(?:[A-Z]*)TOKENS?|PASSWORD|PASSWD|PASS|PASSPHRASE|PWD|CREDENTIALS?|PAT|DSN|WEBHOOK(?:_URL)?|COOKIE|AUTH|CONNECTION_STRING)$|SECRET|PASSWORD|APIKEY|API_KEY|PRIVATE_KEY|ACCESS_TOKEN/;
const plainName =
  /(?:^|_)PUBLIC(?:_|$)|_(?:NAME|FILE|PATH|DIR|TYPE|TTL|USER|HOST|PORT|REGION|LENGTH|COUNT)$|^(?:OLD)?PWD$/;

/** Values people put where a secret will stand later, or that are the names of things. */
const plainWords = new Set(
  'password passwords passphrase changeme changeit undefined disabled required optional postgres postgresql mysqlroot production development staging localhost anonymous example default unspecified administrator your-api-key your_api_key placeholder'.split(
    ' ',
  ),
);

/** The values to remove: of variables whose name says so, of declared ones, and the password inside any address. */
export function secretValues(env: Env, declared: readonly string[]): readonly string[] {
  const values = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    if (!value) continue;
    const password = passwordIn(value);
    if (declared.includes(name)) {
      if (value.length >= declaredCharsMin) values.add(value);
    } else if (password !== undefined) {
      // The rest of the address is what makes a log readable.
      if (isSecretValue(password)) values.add(password);
    } else if (isSecretName(name) && isSecretValue(value)) values.add(value);
  }
  return [...values].map((value) => value.trim().slice(0, searchedCharsMax)).slice(0, secretsMax);
}

export function isSecretName(name: string): boolean {
  const upper = name.toUpperCase();
  return secretName.test(upper) && !plainName.test(upper);
}

/** A value that can stand in text for nothing but itself: no word, path, number, date or plain setting. */
export function isSecretValue(value: string): boolean {
  const text = value.trim();
  if (text.length < secretCharsMin || plainWords.has(text.toLowerCase())) return false;
  if (isPath(text)) return false;
  if (/^[\d.,:_ /+-]+$/.test(text) || /^(.)\1*$/.test(text)) return false;
  // Few letters and nothing else is a word; as a password it protects nothing.
  return !/^[A-Za-z]?[a-z]{0,11}$/.test(text);
}

/** Base64 can begin with a slash too, but has long pieces of mixed letters and digits. */
function isPath(text: string): boolean {
  if (!/^(?:[/~]|\.{1,2}\/|[A-Za-z]:[\\/])/.test(text)) return false;
  return !text
    .split(/[\\/]/)
    .some((part) => part.length >= 20 && /[a-z]/.test(part) && /[A-Z]/.test(part) && /\d/.test(part));
}

/** Every spelling under which a value may appear, itself first. Encoded inside a longer text, only its unchanging middle can be known. */
export function spellingsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value, 'utf8');
  const url = encodeURIComponent(value);
  const base64 = [bytes.toString('base64'), ...[0, 1, 2].map((shift) => base64Core(bytes, shift))];
  const spellings = [
    value,
    JSON.stringify(value).slice(1, -1),
    url,
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    ...base64,
    ...base64.map((one) => one.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')),
  ];
  return [...new Set(spellings)].filter((one) => one.length >= Math.min(value.length, secretCharsMin));
}

/** The characters that `bytes` give in any base64 text where they start at a place `shift` bytes into a group of three. */
function base64Core(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const whole = Math.floor(((bytes.length + shift) * 8) / 6);
  return text.slice([0, 2, 3][shift], whole);
}

function passwordIn(value: string): string | undefined {
  if (!value.includes('://') || !URL.canParse(value)) return undefined;
  const { password } = new URL(value);
  if (!password) return undefined;
  try {
    return decodeURIComponent(password);
  } catch (error) {
    // A stray % that encodes nothing: the password stands there as it is.
    if (error instanceof URIError) return password;
    throw error;
  }
}
