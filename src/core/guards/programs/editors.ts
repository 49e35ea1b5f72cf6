import { reads, writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { type Family, type Knowledge, many } from './family.ts';

/** A command of an editor or pager that starts a shell is judged as that shell's. */
function judgeBang(text: string, call: Call, world: World): void {
  const command = /^[:+]*\s*(?:silent!?\s+)?(?:%|\d+,?\d*|\.)?(?:r\s*|read\s*)?!\s*(.*)$/s.exec(text);
  if (command) world.script(command[1] || 'sh', call, { stdin: { of: 'unknown' } });
}

const vi: Knowledge = {
  is: 'interactive',
  takes: 'text',
  options: { '-c --cmd -S -s -u -U -w -W -i -T -t -r --remote --servername -q --startuptime': 'text' },
  also: (args, call, world) => {
    for (const text of [...args.values('-c', '--cmd'), ...call.args.filter((arg) => arg.startsWith('+'))])
      judgeBang(text, call, world);
    for (const path of args.operands) if (!path.startsWith('+')) writes(world, call, path);
  },
};

const ed: Knowledge = {
  is: 'run-code',
  takes: 'write',
  options: { '-p --prompt': 'text' },
  also: (args, call, world) => {
    if (call.stdin.of === 'text')
      for (const line of call.stdin.text.split('\n')) judgeBang(line, call, world);
    void args;
  },
};

const pager: Knowledge = {
  takes: 'text',
  options: {
    '-o -O --log-file --LOG-FILE': 'write',
    '-k --lesskey-file --lesskey-src -T --tag-file': 'is:run-any',
    '-p --pattern -b --buffers -h --max-back-scroll -j --jump-target -t --tag -x --tabs -y -z --window -P --prompt -D --color --shift':
      'text',
  },
  also: (args, call, world) => {
    for (const word of args.operands) {
      if (!word.startsWith('+')) reads(world, call, word);
      else judgeBang(word.slice(1), call, world);
    }
    if (args.operands.some((word) => word.startsWith('+') && word.includes('!')))
      report(world, 'run-any', 'a pager that starts a command');
  },
  prints: (args, call) => (args.operands.length === 0 ? call.stdin : { of: 'unknown' }),
};

export const editors: Family = {
  ...many('vim vi nvim view gvim vimdiff rvim rview evim mvim elvis nvi vile kak helix hx', vi),
  ...many('ed red ex', ed),
  ...many('emacs emacsclient', {
    is: 'interactive',
    takes: 'write',
    options: { '--eval -eval --execute -f --funcall -l --load --script -x': 'is:run-code', '-u -q': 'text' },
  }),
  ...many(
    'nano pico micro joe jed mcedit tilde ne zile mg code code-insiders cursor subl atom gedit kate kwrite mousepad leafpad idea webstorm pycharm rubymine goland clion phpstorm studio xed bbedit mate notepad notepad++ sensible-editor editor select-editor',
    {
      is: 'interactive',
      takes: 'write',
      options: {
        '-s --speller': 'is:run-any',
        '--install-extension --uninstall-extension': 'is:install-outside',
        '-g --goto': 'text',
      },
    },
  ),
  ...many('less more most pg lv zless', pager),
  ...many('man', {
    takes: 'word',
    options: {
      '-P --pager': 'escape',
      '-C --config-file': 'odd',
      '-l --local-file': 'read',
      '-s --sections -S -M --manpath -m --systems -L --locale -e --extension -T --troff-device -p --preprocessor -E --encoding':
        'text',
    },
    flags: { '-H --html': 'is:run-any' },
  }),
  info: {
    takes: 'word',
    options: { '-o --output --dribble --restore': 'write', '-f --file': 'odd', '-n --node': 'text' },
  },
  ...many('apropos whatis', 'text'),
  ...many('mc ranger nnn lf vifm nautilus thunar dolphin ncdu', { is: 'interactive', takes: 'look' }),
  ...many('fzf peco sk gum percol', {
    takes: 'text',
    options: {
      '--preview --bind --execute': 'shell',
      '-q --query -f --filter --prompt --height --header -d --delimiter -n --nth --with-nth': 'text',
    },
  }),
};
