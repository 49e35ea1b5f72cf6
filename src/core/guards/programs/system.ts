import { type Call, report, type World } from '../call.ts';
import { plain, shown } from '../marks.ts';
import { resolvePath } from '../paths.ts';
import { placeOf } from '../places.ts';
import { type Arguments, type Family, type Knowledge, many } from './family.ts';

/** Signals: asking whether a process lives, ending a job of this shell, or ending someone's process. */
function judgeKill(_args: Arguments, call: Call, world: World): void {
  const isAsking =
    call.args[0] === '-0' ||
    /^(-l|-L|--list|--table)$/.test(call.args[0] ?? '') ||
    call.args.join(' ').startsWith('-s 0 ');
  if (isAsking) {
    report(world, 'read', shown(`${call.program} ${call.args.join(' ')}`));
    return;
  }
  const line = call.args.join(' ');
  if (/tireless/i.test(line)) report(world, 'touch-tireless', shown(`${call.program} ${line}`));
  const targets = call.args.filter((arg) => !arg.startsWith('-'));
  const isOwn = targets.length > 0 && targets.every((target) => /^%/.test(target));
  if (!isOwn) report(world, 'process', shown(`${call.program} ${line}`));
}

/** What destroys a disk, by program; anything else these tools do to one is a question. */
const erasing: readonly [RegExp, RegExp][] = [
  [/^(mkfs.*|mke2fs|mkdosfs|mkntfs|newfs|mkswap|blkdiscard|sg_format|flash_erase|partclone|flashcp)$/, /./],
  [/^wipefs$/, /(^|\s)(-a|--all|-\w*a\w*)(\s|$)/],
  [/^(sgdisk|gdisk|cgdisk)$/, /-(Z|z|o|-zap|-zap-all|-clear)\b/],
  [/^(sfdisk|fdisk|cfdisk)$/, /./],
  [/^parted$/, /\b(mklabel|mktable|mkpart|rm|mkfs)\b/],
  [/^hdparm$/, /--(security-erase|trim-sector|write-sector|make-bad|sanitize)/],
  [/^nvme$/, /\b(format|sanitize|write-zeroes|delete-ns)\b/],
  [/^badblocks$/, /(^|\s)-\w*[wn]/],
  [/^cryptsetup$/, /\b(luksFormat|erase|luksErase|reencrypt)\b/],
  [/^mdadm$/, /--zero-superblock/],
  [/^(dcfldd|ddrescue)$/, /./],
  [
    /^(zpool|zfs|btrfs|lvremove|vgremove|pvremove|diskutil)$/,
    /\b(destroy|labelclear|eraseDisk|eraseVolume|secureErase|reformat|zeroDisk|partitionDisk)\b/,
  ],
];

function judgeDisk(args: Arguments, call: Call, world: World): void {
  const line = call.args.join(' ');
  const isDisk = call.args.some(
    (arg) => placeOf(resolvePath(arg.replace(/^\w+=/, ''), call.state.cwd), world.context) === 'disk',
  );
  const isLooking =
    args.has('-l', '--list', '-p', '--print', '-V', '--version', '-n', '--no-act', '--dry-run') ||
    args.operands.some((word) => /^(print|list|status|info|id-ctrl|show|smart-log|get)$/.test(word));
  const erases = erasing.some(([program, words]) => program.test(call.program) && words.test(line));
  const isNamed = /^(zpool|zfs|diskutil)$/.test(call.program) || isDisk;
  report(
    world,
    isLooking ? 'read' : erases && isNamed ? 'destroy-disk' : 'system',
    shown(`${call.program} ${line}`),
  );
}

/** Erasing on the other platforms: `format c:`, `del /s /q c:\`, `Remove-Item -Recurse C:\`. */
function judgeDrive(_args: Arguments, call: Call, world: World): void {
  const what = shown(`${call.program} ${call.args.join(' ')}`);
  const isDrive = call.args.some(
    (arg) =>
      /^[A-Za-z]:[\\/]?\*?(\.\*)?$/.test(arg) ||
      /^(%systemdrive%|\$env:systemdrive|%userprofile%|\$env:userprofile)/i.test(arg),
  );
  report(world, isDrive ? 'destroy-disk' : 'unknown', what);
}

const disk: Knowledge = { own: true, also: judgeDisk };
const privilege: Knowledge = { is: 'privilege', takes: 'text' };
/** Changes the machine, unless it is only asked to show something. */
const machine: Knowledge = {
  own: true,
  also: (args, call, world) => {
    const [verb = ''] = args.operands;
    const isLooking =
      /^(list|ls|get|status|show|read|info|dump|print|tracking|sources|export|query|capabilities|dominfo|domstate|version|help)$/.test(
        verb,
      ) ||
      (args.operands.length === 0 &&
        call.args.every((arg) =>
          /^(-l|-p|-s|-g|-r|-V|-q|--show|--list|--print|--status|--version|--help|--show-all)$/.test(arg),
        ) &&
        !/^(reboot|halt|poweroff|shutdown|swapoff|kexec|update-grub|update-initramfs|mkinitcpio|dracut|ldconfig|init|pm-\w+|grub-install)$/.test(
          call.program,
        )) ||
      (call.program === 'ldconfig' && call.args[0] === '-p');
    report(world, isLooking ? 'read' : 'system', shown(`${call.program} ${call.args.join(' ')}`));
  },
};

/** A service manager: asking is reading. */
const services = (looks: string): Knowledge => ({
  options: {
    '-n --lines -t --type -p --property -o --output --state -u --unit -H --host -M --machine': 'text',
  },
  flags: { '-H --host': 'is:remote-shell' },
  bare: 'read',
  subs: {
    ...many(looks, 'text'),
    ...many('edit', 'is:persistence'),
    ...many(
      'enable disable link mask unmask set-default add-wants daemon-reload reenable preset revert',
      'is:persistence',
    ),
  },
  otherwise: machine,
});

export const system: Family = {
  ...many('kill pkill killall skill snice xkill killall5 tkill', { own: true, also: judgeKill }),
  renice: 'is:process',
  ...many('dmsetup debugfs', 'is:system'),
  fuser: { takes: 'look', flags: { '-k --kill': 'is:process' } },
  ...many(
    'shutdown reboot halt poweroff init telinit systemctl-poweroff kexec pm-suspend pm-hibernate hwclock modprobe insmod rmmod depmod swapon swapoff mount umount fusermount losetup pivot_root switch_root setenforce semanage restorecon aa-enforce aa-complain auditctl chronyc ntpdate mkinitcpio dracut update-initramfs update-grub grub-install efibootmgr ldconfig sysrc kldload scutil pmset csrutil nvram spctl tccutil launchctl defaults dscl bless vmctl virsh vboxmanage qemu-system-x86_64 xrandr xset xdotool xinput loadkeys setfont chvt dconf gsettings tmutil softwareupdate quotaon setquota edquota',
    machine,
  ),
  ...many(
    'useradd userdel usermod adduser deluser groupadd groupdel groupmod addgroup delgroup passwd chpasswd chage chsh chfn gpasswd newgrp sg visudo vipw vigr sudoedit pwconv pwunconv newusers faillock pam-auth-update polkitd pkaction pkcheck update-ca-certificates',
    privilege,
  ),
  ...many(
    'mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.f2fs mke2fs mkdosfs mkntfs mkswap fdisk sfdisk cfdisk gdisk sgdisk cgdisk parted partprobe wipefs blkdiscard hdparm nvme badblocks cryptsetup mdadm lvremove vgremove pvremove lvcreate lvresize lvreduce vgcreate pvcreate tune2fs e2fsck fsck resize2fs xfs_repair btrfs zpool zfs newfs diskutil dcfldd ddrescue sg_format flashcp flash_erase partclone growpart',
    disk,
  ),
  ...many('format del erase rd Remove-Item remove-item Clear-Disk Format-Volume diskpart ri deltree', {
    own: true,
    also: judgeDrive,
  }),
  sysctl: {
    takes: 'word',
    options: { '-p --load': 'is:system' },
    flags: { '-w --write': 'is:system' },
    also: (args, _call, world) => {
      if (args.operands.some((word) => word.includes('=')))
        report(world, 'system', shown(args.operands.join(' ')));
    },
  },
  hostname: {
    takes: 'text',
    options: { '-F --file': 'odd' },
    also: (args, _call, world) => {
      if (args.operands.length > 0) report(world, 'system', 'the name of this machine');
    },
    prints: () => ({ of: 'text', text: plain }),
  },
  dmesg: {
    takes: 'text',
    options: { '-F --file -K --kmsg-file': 'odd', '-l --level -f --facility -n --console-level -s': 'text' },
    flags: { '-c --read-clear -C --clear': 'is:erase-traces', '-D -E': 'is:system' },
  },
  blkid: { takes: 'look' },
  ...many(
    'systemctl',
    services(
      'status show list-units list-unit-files list-timers list-sockets list-jobs list-dependencies is-active is-enabled is-failed is-system-running cat help get-default show-environment',
    ),
  ),
  ...many(
    'loginctl hostnamectl timedatectl localectl bootctl coredumpctl networkctl busctl homectl',
    services(
      'status list list-sessions list-users list-seats show show-session show-user show-seat show-timesync info list-timezones list-locales tree introspect',
    ),
  ),
  service: {
    takes: 'word',
    also: (args, _call, world) => {
      if (args.operands[1] !== 'status' && !args.has('--status-all'))
        report(world, 'system', shown(`service ${args.operands.join(' ')}`));
    },
  },
  ...many('rc-service rc-update chkconfig update-rc.d supervisorctl initctl sv runit s6-svc monit pm2', {
    takes: 'text',
    also: (args, call, world) => {
      if (
        !/^(status|list|ls|logs|show|describe|monit|info|avail|version|jlist|prettylist)$/.test(
          args.operands.at(-1) ?? '',
        ) &&
        !/^(status|list|ls|logs|show|describe|info)$/.test(args.operands[0] ?? '')
      )
        report(world, 'system', shown(`${call.program} ${args.operands.join(' ')}`));
    },
  }),
  journalctl: {
    takes: 'text',
    options: {
      '-u --unit -n --lines -S --since -U --until -p --priority -o --output -t --identifier -g --grep --output-fields -F --field':
        'text',
      '--file --directory -D --root --image --cursor-file': 'odd',
    },
    flags: {
      '--rotate --flush --sync': 'is:system',
      '--vacuum-size --vacuum-time --vacuum-files': 'is:erase-traces',
    },
  },
  crontab: {
    takes: 'is:persistence',
    options: { '-u': 'is:privilege' },
    flags: { '-e -r -i': 'is:persistence', '-l': 'text' },
    also: (args, call, world) => {
      if (args.operands.length === 0 && !args.has('-l', '-e', '-r'))
        report(world, 'persistence', 'a crontab from standard input');
      void call;
    },
  },
  ...many('atq', 'text'),
  ...many('atrm anacron fcrontab', 'is:persistence'),
  ...many('notify-send say beep paplay aplay afplay terminal-notifier growlnotify', 'text'),
  logger: {
    takes: 'text',
    options: {
      '-f --file': 'odd',
      '-n --server -u --socket': 'is:network-send',
      '-p --priority -t --tag -P --port': 'text',
    },
  },
  ...many('logrotate logsave savelog', 'is:run-any'),
  ...many('pbcopy xclip xsel wl-copy clip', {
    takes: 'text',
    options: { '-selection -sel': 'text', '-o -out --output': 'is:read-secret' },
    flags: { '-o -out --output': 'is:read-secret' },
    oneDash: true,
  }),
  ...many('pbpaste wl-paste', 'is:read-secret'),
  ...many('screencapture scrot import gnome-screenshot maim grim xwd arecord fswebcam', 'is:read-odd'),
  ...many(
    'xdg-open open start explorer gio sensible-browser x-www-browser firefox google-chrome chromium chromium-browser safari',
    { is: 'interactive', takes: 'text' },
  ),
  ...many('stress stress-ng memtester sysbench', 'is:exhaust'),
  ...many('reptyr gcore crash', 'is:process'),
  ...many('ldd', { takes: 'read' }),
  ...many('getcap', 'look'),
  ...many('dialog whiptail zenity kdialog', {
    takes: 'text',
    options: { '--textbox --tailbox --editbox --fselect --file': 'odd' },
    is: 'interactive',
  }),
  ...many('tic infocmp', { takes: 'odd' }),
  genisoimage: { takes: 'odd', options: { '-sort': 'odd', '-o': 'write' } },
  ...many('mkisofs xorriso', 'odd'),
  ...many('aspell ispell hunspell', { takes: 'odd' }),
  ...many('soelim zsoelim groff troff nroff eqn tbl pic', {
    takes: 'read',
    flags: { '-U': 'is:run-any' },
    options: { '-o': 'write', '-D -I -m -T': 'text' },
  }),
  ...many('xmodmap xrdb', 'is:read-odd'),
  m4: 'is:run-code',
};
