/**
 * English word stems after Porter's published algorithm: "migrations", "migrated" and "migrating" meet in one stem.
 * Words with digits or other letters than a–z come back as they are.
 */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let w = plural(word);
  w = pastAndGerund(w);
  // "deploy" and "key" keep their y: only one after a consonant changes with the ending.
  if (w.length > 3 && /[^aeiou]y$/.test(w) && hasVowel(w.slice(0, -1))) w = `${w.slice(0, -1)}i`;
  w = swapSuffix(w, doubleSuffixes, 0);
  w = swapSuffix(w, singleSuffixes, 0);
  w = dropSuffix(w);
  return tidyEnd(w);
}

function isVowelAt(word: string, at: number): boolean {
  const letter = word[at] as string;
  if ('aeiou'.includes(letter)) return true;
  return letter === 'y' && at > 0 && !isVowelAt(word, at - 1);
}

function hasVowel(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (isVowelAt(word, at)) return true;
  return false;
}

/** How many times a run of vowels is followed by a run of consonants. */
function measure(word: string): number {
  let count = 0;
  let wasVowel = false;
  for (let at = 0; at < word.length; at++) {
    const isVowel = isVowelAt(word, at);
    if (wasVowel && !isVowel) count += 1;
    wasVowel = isVowel;
  }
  return count;
}

function endsDouble(word: string): boolean {
  const last = word.length - 1;
  return last > 0 && word[last] === word[last - 1] && !isVowelAt(word, last);
}

/** Consonant, vowel, consonant at the end, as in "hop": such a stem once ended in "e". */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  return (
    last >= 2 &&
    !isVowelAt(word, last) &&
    isVowelAt(word, last - 1) &&
    !isVowelAt(word, last - 2) &&
    !'wxy'.includes(word[last] as string)
  );
}

function plural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') && word.length > 3 ? word.slice(0, -1) : word;
}

function pastAndGerund(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const ending = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  if (ending === 0) return word;
  const base = word.slice(0, -ending);
  if (!hasVowel(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (endsDouble(base) && !/[lsz]$/.test(base)) return base.slice(0, -1);
  return measure(base) === 1 && endsShort(base) ? `${base}e` : base;
}

type Swaps = readonly (readonly [string, string])[];

const doubleSuffixes: Swaps = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
];

const singleSuffixes: Swaps = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];

const droppedSuffixes =
  /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic|ou|(?<=[st])ion)$/;

function swapSuffix(word: string, swaps: Swaps, above: number): string {
  for (const [suffix, by] of swaps) {
    if (!word.endsWith(suffix)) continue;
    const base = word.slice(0, -suffix.length);
    return measure(base) > above ? base + by : word;
  }
  return word;
}

function dropSuffix(word: string): string {
  const base = word.replace(droppedSuffixes, '');
  return base !== word && measure(base) > 1 ? base : word;
}

function tidyEnd(word: string): string {
  let w = word;
  if (w.endsWith('e')) {
    const base = w.slice(0, -1);
    const count = measure(base);
    if (count > 1 || (count === 1 && !endsShort(base))) w = base;
  }
  return w.endsWith('ll') && measure(w.slice(0, -1)) > 1 ? w.slice(0, -1) : w;
}
