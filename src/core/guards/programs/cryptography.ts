import { type Call, report, type World } from '../call.ts';
import { type Arguments, type Family, many } from './family.ts';

const secrets = 'is:read-secret' as const;

export const cryptography: Family = {
  openssl: {
    bare: 'interactive',
    subs: {
      ...many('version ciphers list prime speed errstr help', 'text'),
      ...many(
        'x509 req rsa ec genrsa genpkey ecparam dsaparam dhparam pkey verify crl pkcs7 asn1parse enc dgst rand passwd base64 sha256 sha1 md5 cms ca pkcs12 pkcs8 pkeyutl rsautl ts',
        {
          oneDash: true,
          takes: 'read',
          options: {
            '-in -config -CAfile -CA -CAkey -key -inkey -signkey -cert -certfile -extfile -kfile -verify -signature -sign':
              'read',
            '-out -keyout -writerand': 'write',
            '-engine -provider -provider-path': 'is:run-any',
            '-inform -outform -days -subj -newkey -pass -passin -passout -k -K -iv -S -iter -md -name -addext -extensions -keyform -pkeyopt -algorithm -serial -set_serial -purpose -nameopt -certopt':
              'text',
          },
        },
      ),
      s_client: 'is:network-send',
      ...many('s_server s_time ocsp', 'is:network-listen'),
    },
    otherwise: 'is:run-any',
  },
  ...many('gpg gpg2', {
    takes: 'text',
    also: (args: Arguments, _call: Call, world: World) => {
      const isAsked = args.options.some(({ name }) =>
        /^(--verify|--list|--fingerprint|-k|-K|--check|--encrypt|-e|-c|--symmetric|--print|--show|--dump|--list-.*|--version|--with-.*|--dearmor|--enarmor|--export|-a|--armor)/.test(
          name,
        ),
      );
      if (args.operands.length > 0 && !isAsked) report(world, 'read-secret', 'gpg decrypts what it is given');
    },
    options: {
      '-o --output': 'write',
      '-r --recipient -u --local-user --homedir --keyserver --passphrase': 'text',
      '--passphrase-file': 'read',
    },
    flags: {
      '-d --decrypt --export-secret-keys --export-secret-subkeys --gen-key --full-generate-key --edit-key --delete-key --delete-secret-key --import --card-edit -s --sign --clearsign --clear-sign -b --detach-sign --export-ownertrust':
        'is:read-secret',
      '--send-keys --recv-keys --search-keys --refresh-keys': 'is:network-send',
    },
  }),
  ...many('age rage', {
    takes: 'read',
    options: { '-o --output': 'write', '-r --recipient -R': 'text', '-i --identity': 'read' },
    flags: { '-d --decrypt': 'is:read-secret' },
  }),
  ...many(
    'pass gopass security secret-tool keyring op bw lpass vault doppler infisical chamber aws-vault credstash keepassxc-cli kwallet-query ksshaskpass age-keygen ssh-askpass',
    secrets,
  ),
  sops: {
    takes: 'read',
    flags: { '-d --decrypt': 'is:read-secret', '-e --encrypt': 'text', '-i --in-place': 'is:write' },
    options: { '--kms --pgp --age': 'text', '--output': 'write' },
    subs: { ...many('decrypt edit exec-env exec-file', secrets), encrypt: 'read' },
    otherwise: 'is:read-secret',
  },
};
