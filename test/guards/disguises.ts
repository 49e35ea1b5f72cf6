// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions, not templates.
import fc from 'fast-check';

/** Ways to write one word so that a shell still reads the same word. */
const quotings: readonly ((text: string) => string)[] = [
  (text) => text.replaceAll(/[^\w./-]/g, '\\$&'),
  (text) => `'${text.replaceAll("'", "'\\''")}'`,
  (text) => `"${text.replaceAll(/["\\$`]/g, '\\$&')}"`,
  (text) =>
    `$'${[...text].map((char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')}'`,
  (text) => `$'${[...text].map((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')}'`,
  (text) => [...text].map((char) => (/\w/.test(char) ? `\\${char}` : char)).join(''),
];

const cutAt = (text: string, at: number): [string, string] => {
  const cut = text.length < 2 ? text.length : 1 + (at % (text.length - 1));
  return [text.slice(0, cut), text.slice(cut)];
};

/** What a word looks like in a command, and what has to stand before the command. */
interface Hidden {
  before: string;
  word: string;
}

const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const hex = (text: string): string =>
  [...text].map((char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** `echo -e` prints nothing. */
const prints = (text: string): string =>
  /^-[neE]+$/.test(text) ? `printf '%s' ${single(text)}` : `echo ${single(text)}`;

const hidings: readonly ((text: string, seed: number) => Hidden)[] = [
  (text) => ({ before: '', word: single(text) }),
  (text, seed) => {
    const [first, second] = cutAt(text, seed);
    const quote = (part: string, at: number) =>
      part === '' ? '' : (quotings[(seed + at) % quotings.length]?.(part) ?? part);
    return { before: '', word: quote(first, 1) + quote(second, 3) };
  },
  (text, seed) => ({ before: `v${seed % 50}=${single(text)}; `, word: `"$v${seed % 50}"` }),
  (text, seed) => {
    const [first, second] = cutAt(text, seed);
    return { before: `p=${single(first)}; q=${single(second)}; `, word: '"$p${q}"' };
  },
  (text) => ({ before: '', word: `"$(${prints(text)})"` }),
  (text) => ({ before: '', word: `"$(printf '%s' ${single(text)})"` }),
  (text) => ({ before: '', word: `"\`${prints(text)}\`"` }),
  (text) => ({ before: '', word: `"$(echo ${base64(text)} | base64 -d)"` }),
  (text) => ({ before: '', word: `"$(echo ${hex(text)} | xxd -r -p)"` }),
  (text) => ({ before: '', word: `"$(echo ${single([...text].reverse().join(''))} | rev)"` }),
  (text) => ({ before: '', word: `"\${unset_one:-${text.replaceAll(/["\\$`}]/g, '\\$&')}}"` }),
  (text) => ({ before: `s=${single(`xx${text}yy`)}; `, word: `"\${s:2:${text.length}}"` }),
  (text) => ({ before: `a=(${single(text)} other); `, word: `"\${a[0]}"` }),
  (text) => ({ before: `n=hidden; hidden=${single(text)}; `, word: '"${!n}"' }),
  (text) => ({ before: `w=${single(`${text}END`)}; `, word: '"${w%END}"' }),
  (text) => ({
    before: `w=${single(text.toUpperCase())}; `,
    word: text === text.toLowerCase() ? '"${w,,}"' : single(text),
  }),
];

/** Ways to run a command line so that it still runs. */
export const wrappings: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => `( ${line} )`,
  (line) => `{ ${line}; }`,
  (line) => `true && ${line}`,
  (line) => `false || { ${line}; }`,
  (line) => `! { ${line}; }`,
  (line) => `if true; then ${line}; fi`,
  (line) => `if false; then :; else ${line}; fi`,
  (line) => `for i in 1; do ${line}; done`,
  (line) => `while true; do ${line}; break; done`,
  (line) => `case x in x) ${line};; esac`,
  (line) => `fn() { ${line}; }; fn`,
  (line) => `echo start; ${line}; echo end`,
  (line) => `{ ${line}; } | cat`,
  (line) => `{ ${line}; } > /dev/null 2>&1 &`,
  (line) => `x=$( ${line} )`,
  (line) => `echo "$( ${line} )"`,
  (line) => `cat <( ${line} )`,
  (line) => `sh -c ${single(line)}`,
  (line) => `bash -lc ${single(line)}`,
  (line) => `env -i FOO=1 bash -c ${single(line)}`,
  (line) => `sudo -E sh -c ${single(line)}`,
  (line) => `nohup nice -n 5 sh -c ${single(line)}`,
  (line) => `timeout 10 bash -c ${single(line)}`,
  (line) => `eval ${single(line)}`,
  (line) => `echo ${single(line)} | sh`,
  (line) => `printf '%s' ${single(line)} | bash -s`,
  (line) => `bash <<< ${single(line)}`,
  (line) => `sh <<'EOT'\n${line}\nEOT`,
  (line) => `bash <(echo ${single(line)})`,
  (line) => `source /dev/stdin <<< ${single(line)}`,
  (line) => `echo ${base64(line)} | base64 --decode | sh`,
  (line) => `echo ${hex(line)} | xxd -r -p | bash`,
  (line) => `trap ${single(line)} EXIT`,
  (line) => `find . -maxdepth 0 -exec sh -c ${single(line)} \\;`,
  (line) => `echo x | xargs -I{} sh -c ${single(line)}`,
  (line) => `xargs sh -c ${single(line)} < /dev/null`,
  (line) => `flock /tmp/lock -c ${single(line)}`,
  (line) => `watch -n 1 ${single(line)}`,
  (line) => `script -qc ${single(line)} /dev/null`,
  (line) => `su -c ${single(line)}`,
  (line) => `ssh host ${single(line)}`,
  (line) => `printf '%s' ${single(line)} > /tmp/s.sh; sh /tmp/s.sh`,
  (line) => `cat > run.sh <<'EOT'\n${line}\nEOT\nbash run.sh`,
  (line) => `awk 'BEGIN { system(${JSON.stringify(line).replaceAll("'", "'\\''")}) }'`,
  (line) => `frobnicate --run ${single(line)}`,
  (line) => `python3 -c ${single(`import os; os.system(${JSON.stringify(line)})`)}`,
  (line) => `node -e ${single(`require("child_process").execSync(${JSON.stringify(line)})`)}`,
  (line) => `perl -e ${single(`system(${JSON.stringify(line)})`)}`,
  (line) => `nice \\\n  -n 3 \\\n  sh -c ${single(line)}`,
];

/** A command of the never list as words. */
export type Words = readonly string[];

/** One command line that does what `words` do, hidden in some way. */
export const disguised = (bases: readonly Words[]): fc.Arbitrary<string> =>
  fc
    .record({
      base: fc.constantFrom(...bases),
      seeds: fc.array(fc.nat(10_000), { minLength: 12, maxLength: 12 }),
      path: fc.constantFrom('', '', '/bin/', '/usr/bin/', '\\'),
      gap: fc.constantFrom(' ', '  ', '\t', ' \\\n '),
      prefix: fc.constantFrom('', '', 'FOO=1 ', 'command ', 'env ', 'time ', 'exec '),
      outer: fc.array(fc.constantFrom(...wrappings), { minLength: 0, maxLength: 2 }),
    })
    .map(({ base, seeds, path, gap, prefix, outer }) => {
      const before: string[] = [];
      const words = base.map((word, at) => {
        const seed = seeds[at % seeds.length] ?? 0;
        // Wildcards and tildes lose their meaning inside quotes.
        if (/[*~$]/.test(word)) return word;
        const usesPath = at === 0 && path !== '' && path !== '\\' && !word.includes('/');
        const hide = hidings[seed % hidings.length] as (text: string, seed: number) => Hidden;
        const hidden = hide(usesPath ? path + word : word, seed);
        // A variable may only be set once per command, or an earlier word would change.
        if (hidden.before !== '' && before.length > 0) return single(usesPath ? path + word : word);
        if (hidden.before !== '') before.push(hidden.before);
        return hidden.word;
      });
      const line = before.join('') + prefix + words.join(gap);
      return outer.reduce((inner, wrap) => wrap(inner), line);
    });
