import { reads, writes } from '../access.ts';
import { type Call, report, type World } from '../call.ts';
import { fetches, isLoopback, sends } from '../hosts.ts';
import { hasAnything, shown } from '../marks.ts';
import { type Flow, unknownFlow } from '../shell/state.ts';
import { type Arguments, type Family, type Knowledge, many } from './family.ts';
import { probe } from './probing.ts';

const curlOptions = {
  '-o --output -D --dump-header --trace --trace-ascii --stderr --libcurl -c --cookie-jar --etag-save --hsts --alt-svc --output-dir':
    'write',
  '-T --upload-file -d --data --data-raw --data-binary --data-ascii --data-urlencode -F --form --form-string --json':
    'text',
  '-X --request -H --header -A --user-agent -e --referer -u --user -b --cookie -m --max-time --connect-timeout --retry --retry-delay --retry-max-time -r --range -w --write-out --url -x --proxy -U --proxy-user --resolve --connect-to --interface -z --time-cond --limit-rate -y -Y --cacert --capath -E --cert --key --cert-type --key-type --pass --ciphers --tls-max --max-redirs --max-filesize -C --continue-at --local-port --dns-servers --doh-url --oauth2-bearer --aws-sigv4 --mail-from --mail-rcpt --ftp-port -P --socks5 --socks5-hostname --socks4 --preproxy --unix-socket --abstract-unix-socket --variable --expand-url --url-query --rate --parallel-max --keepalive-time --proto --proto-redir --netrc-file --pinnedpubkey -t --telnet-option -Q --quote --noproxy --engine -K --config':
    'text',
} as const;

/** Options of curl that reach further than a request. */
const curlReaches = [
  '-K',
  '--config',
  '--engine',
  '--unix-socket',
  '--abstract-unix-socket',
  '--netrc-file',
  '-x',
  '--proxy',
  '--preproxy',
  '--socks5',
  '--socks4',
  '--socks5-hostname',
  '--connect-to',
  '--resolve',
  '--doh-url',
  '--dns-servers',
  '-Q',
  '--quote',
  '--mail-rcpt',
  '-t',
  '--telnet-option',
  '-E',
  '--cert',
  '--key',
];

function judgeCurl(args: Arguments, call: Call, world: World): void {
  const urls = [...args.values('--url'), ...args.operands];
  const bodies = args.values(
    '-d',
    '--data',
    '--data-raw',
    '--data-binary',
    '--data-ascii',
    '--data-urlencode',
    '-F',
    '--form',
    '--json',
  );
  const uploads = args.values('-T', '--upload-file');
  const method = (args.value('-X', '--request') ?? 'GET').toUpperCase();
  const isSending = bodies.length > 0 || uploads.length > 0 || !/^(GET|HEAD|OPTIONS)$/.test(method);
  for (const body of bodies) {
    const file = /(?:^|=|:)[@<]([^;]+)/.exec(body)?.[1];
    if (file !== undefined && file !== '-') reads(world, call, file);
  }
  for (const file of uploads) if (file !== '-') reads(world, call, file);
  for (const format of args.values('-w', '--write-out', '-H', '--header'))
    if (format.startsWith('@')) reads(world, call, format.slice(1), 'odd');
  const isLocal = urls.length > 0 && urls.every(isLoopback);
  if (!isLocal || args.has('-K', '--config', '--unix-socket', '--abstract-unix-socket')) {
    for (const name of curlReaches)
      if (args.has(name)) report(world, /socket/.test(name) ? 'run-any' : 'network-out', `curl ${name}`);
  }
  const carries =
    call.secrets.length > 0 ||
    args.has('-u', '--user', '--oauth2-bearer', '-n', '--netrc') ||
    args
      .values('-H', '--header')
      .some((header) => /^(authorization|x-api-key|cookie|private-token)\s*:/i.test(header));
  for (const url of urls) {
    if (
      !/^(https?:\/\/|[\w.[\]:-]+)/i.test(url) ||
      /^(file|dict|gopher|telnet|ldap|scp|sftp|smb|tftp|rtsp|imap|pop3|smtp|ftp)s?:/i.test(url)
    )
      fetches(world, call, url);
    else if (isSending || carries) sends(world, call, url);
    else fetches(world, call, url);
  }
  if (args.has('-O', '--remote-name', '-J', '--remote-name-all')) writes(world, call, '.');
  for (const file of args.values('-o', '--output'))
    call.state.files.set(absolute(file, call), { of: 'network' });
}

const absolute = (path: string, call: Call): string =>
  path.startsWith('/') ? path : `${call.state.cwd ?? ''}/${path.replace(/^\.\//, '')}`;

const fromNetwork = (args: Arguments): Flow =>
  args.has('-o', '--output', '-O', '--remote-name') ? { of: 'nothing' } : { of: 'network' };

function judgeWget(args: Arguments, call: Call, world: World): void {
  const isSending =
    args.has('--post-data', '--post-file', '--body-data', '--body-file') ||
    !/^(GET|HEAD)$/i.test(args.value('--method') ?? 'GET');
  for (const file of args.values('--post-file', '--body-file')) reads(world, call, file);
  for (const url of args.operands)
    isSending || call.secrets.length > 0 ? sends(world, call, url) : fetches(world, call, url);
  const target = args.value('-O', '--output-document');
  if (target === undefined) {
    if (!args.has('--spider')) writes(world, call, args.value('-P', '--directory-prefix') ?? '.');
    for (const url of args.operands)
      call.state.files.set(absolute(url.split('?')[0]?.split('/').at(-1) ?? '', call), { of: 'network' });
  } else if (target !== '-' && target !== '/dev/stdout') {
    writes(world, call, target);
    call.state.files.set(absolute(target, call), { of: 'network' });
  }
}

const sockets: Knowledge = {
  takes: 'text',
  options: {
    '-e --exec -c --sh-exec': 'is:run-shell',
    '-p --source-port -s --source -w --wait -i --delay -q -x --proxy -X -b -I -O -T -V --ssl-cert --ssl-key':
      'text',
  },
  also: (args, _call, world) => {
    const host = args.operands[0] ?? '';
    if (args.has('-l', '--listen', '-L')) report(world, 'network-listen', shown(args.operands.join(' ')));
    else if (args.has('-z') && isLoopback(host)) report(world, 'network-local', shown(host));
    else report(world, 'network-send', shown(args.operands.join(' ')));
  },
};

export const network: Family = {
  curl: { takes: 'text', options: curlOptions, also: judgeCurl, prints: fromNetwork },
  wget: {
    takes: 'text',
    options: {
      '-O --output-document -P --directory-prefix --post-data --post-file --body-data --body-file --method':
        'text',
      '-o --output-file -a --append-output --save-cookies --warc-file': 'write',
      '-i --input-file --config': 'odd',
      '-e --execute': 'is:run-any',
      '--use-askpass': 'escape',
      '--ca-certificate --certificate --private-key --load-cookies': 'read',
      '-T --timeout --connect-timeout --read-timeout --dns-timeout -t --tries -w --wait --limit-rate -U --user-agent --header --user --password --http-user --http-password -l --level -A --accept -R --reject -D --domains --exclude-domains -I -X --referer -Q --quota --waitretry --cut-dirs --base -B --proxy-user --max-redirect --progress --restrict-file-names --local-encoding --accept-regex --reject-regex':
        'text',
    },
    also: judgeWget,
    prints: (args) =>
      /^(-|\/dev\/stdout)$/.test(args.value('-O', '--output-document') ?? '')
        ? { of: 'network' }
        : { of: 'nothing' },
  },
  ...many('http https xh xhs httpie curlie', {
    takes: 'text',
    options: { '-a --auth -o --output --session --timeout -p --print -s --style -A': 'text' },
    also: (args, call, world) => {
      const words = args.operands.filter((word) => !/^(GET|HEAD|OPTIONS)$/i.test(word));
      const method = /^[A-Z]+$/.test(words[0] ?? '') ? words[0] : undefined;
      const url = (method ? words[1] : words[0]) ?? '';
      method ||
      words.slice(method ? 2 : 1).some((word) => /[^=]=|:=|@/.test(word)) ||
      call.stdin.of !== 'nothing'
        ? sends(world, call, url)
        : fetches(world, call, url.startsWith(':') ? 'localhost' : url);
    },
    prints: fromNetwork,
  }),
  ...many('aria2c axel lftp lynx links links2 elinks w3m yt-dlp youtube-dl gallery-dl httrack', {
    takes: 'fetch',
    options: {
      '-o --out -d --dir --output -P': 'write',
      '-i --input-file -a --batch-file': 'odd',
      '-e --exec -c': 'is:run-any',
      '-x -s -j -k -f --format': 'text',
    },
    flags: { '-exec': 'is:run-any' },
    prints: () => ({ of: 'network' }),
  }),
  ...many('nc ncat netcat nc.openbsd nc.traditional', sockets),
  ...many(
    'socat cryptcat websocat chisel ngrok cloudflared localtunnel lt bore frpc frps gost pwncat rustscan',
    { is: 'network-send', takes: 'text' },
  ),
  ...many(
    'ftp tftp ncftp smbclient rpcclient cadaver swaks msmtp sendmail mail mailx mutt s-nail wall write talk irssi weechat telegram-cli slackcat curlftpfs sshfs wormhole croc transfer',
    { is: 'network-send', takes: 'text' },
  ),
  ...many('ping ping6 fping tracepath traceroute mtr host nslookup drill', probe()),
  dig: probe({ '-f': 'odd', '-k': 'odd', '-p -x -t -c -q -b': 'text' }),
  whois: {
    is: 'network-in',
    takes: 'text',
    options: { '-h --host -p --port': 'is:network-send' },
    also: (args, _call, world) => {
      for (const word of args.operands) if (hasAnything(word)) report(world, 'network-send', shown(word));
    },
  },
  ...many(
    'nmap masscan zmap hping3 arp-scan nikto sqlmap hydra gobuster ffuf dirb wfuzz nuclei amass subfinder metasploit msfconsole responder bettercap ettercap aircrack-ng john hashcat searchsploit enum4linux crackmapexec',
    'is:network-out',
  ),
  ...many('tcpdump tshark wireshark dumpcap ngrep', 'is:privilege'),
  ip: {
    takes: 'text',
    options: { '-b -batch -n -netns -f -family': 'odd' },
    oneDash: true,
    also: (args, call, world) => {
      if (args.operands.includes('exec')) {
        report(world, 'privilege', 'ip netns exec');
        world.run(args.operands.slice(args.operands.indexOf('exec') + 2), call);
      } else if (
        args.operands.some((word) =>
          /^(add|del|delete|set|change|replace|flush|append|prepend|attach|save|restore)$/.test(word),
        )
      )
        report(world, 'system', shown(`ip ${args.operands.join(' ')}`));
    },
  },
  ...many('ifconfig iwconfig ethtool', {
    takes: 'text',
    also: (args, call, world) => {
      if (args.operands.length > 1 || args.has('-s', '-K'))
        report(world, 'system', shown(`${call.program} ${args.operands.join(' ')}`));
    },
  }),
  route: {
    takes: 'text',
    also: (args, _call, world) => {
      if (args.operands.length > 0) report(world, 'system', shown(`route ${args.operands.join(' ')}`));
    },
  },
  arp: {
    takes: 'text',
    options: { '-f --file': 'odd', '-s --set -d --delete': 'is:system', '-i -H': 'text' },
  },
  ...many('netstat sockstat', 'word'),
  ss: {
    takes: 'text',
    options: {
      '-F --filter': 'odd',
      '-D --diag': 'write',
      '-A --query --socket -f --family -N --net': 'text',
    },
    flags: { '-K --kill': 'is:process' },
  },
  lsof: {
    takes: 'text',
    options: { '-p -u -i -c -d -F -r -s -g': 'text', '-D': 'odd' },
    prints: () => unknownFlow,
  },
  ...many(
    'iptables ip6tables nft ufw firewall-cmd ipset tc ebtables pfctl networksetup nmcli wpa_cli resolvectl bridge brctl openvpn wg wg-quick tailscale zerotier-cli dhclient',
    'is:system',
  ),
};
