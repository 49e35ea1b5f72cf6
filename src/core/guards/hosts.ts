import { type Call, report, type World } from './call.ts';
import { hasAnything, shown } from './marks.ts';

const loopback =
  /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal|[\w-]+\.localhost)$/i;

/** Places that hold published packages, documentation or public code and take nothing from a plain read. */
const readableHosts = [
  'npmjs.org',
  'pypi.org',
  'files.pythonhosted.org',
  'crates.io',
  'static.crates.io',
  'index.crates.io',
  'docs.rs',
  'proxy.golang.org',
  'sum.golang.org',
  'pkg.go.dev',
  'rubygems.org',
  'repo.maven.apache.org',
  'repo1.maven.org',
  'packagist.org',
  'developer.mozilla.org',
  'docs.python.org',
  'nodejs.org',
  'doc.rust-lang.org',
];

/** The host of an address, without user, port or path; undefined when it is not known literally. */
function hostOf(address: string): string | undefined {
  const match = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/\s]*@)?(\[[0-9a-f:]+\]|[^:/?#\s]+)/i.exec(address);
  const host = match?.[1];
  return host === undefined || hasAnything(host) ? undefined : host.toLowerCase();
}

export const isLoopback = (address: string): boolean => {
  const host = hostOf(address);
  return host !== undefined && loopback.test(host);
};

/** A plain read from an address. */
export function fetches(world: World, _call: Call, address: string): void {
  const host = hostOf(address);
  if (/^file:/i.test(address)) {
    report(world, 'read-odd', shown(address));
    return;
  }
  if (host !== undefined && loopback.test(host)) {
    report(world, 'network-local', shown(address));
    return;
  }
  const allowed = [...readableHosts, ...world.context.config.hosts];
  const isReadable =
    host !== undefined &&
    !hasAnything(address) &&
    allowed.some((one) => host === one || host.endsWith(`.${one}`));
  report(world, isReadable ? 'network-in' : 'network-out', shown(address));
}

/** Something of ours leaves for an address. */
export function sends(world: World, call: Call, address: string): void {
  if (isLoopback(address)) {
    report(world, 'network-local', shown(address));
    return;
  }
  report(world, 'network-send', shown(address));
  if (call.secrets.length > 0)
    report(world, 'secret-send', `${call.secrets.join(', ')} to ${shown(address)}`);
}
