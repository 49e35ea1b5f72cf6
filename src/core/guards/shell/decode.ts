import type { Arguments } from '../knowledge.ts';
import { isLiteral } from '../marks.ts';
import { type Flow, unknownFlow } from './state.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 as text, or undefined when it is none. */
export function decodeBase(text: string): string | undefined {
  const clean = text.replaceAll(/\s/g, '').replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  if (!/^[A-Za-z0-9+/]*$/.test(clean)) return undefined;
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const char of clean) {
    held = (held << 6) | alphabet.indexOf(char);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
      held &= (1 << bits) - 1;
    }
  }
  return printable(bytes);
}

/** Plain hexadecimal as text, or undefined when it is none. */
export function decodeHex(text: string): string | undefined {
  const clean = text.replaceAll(/\s|\\x|0x/g, '');
  if (!/^([0-9a-fA-F]{2})*$/.test(clean)) return undefined;
  return printable((clean.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
}

/** Bytes that are readable text; anything else is not a script we could judge. */
function printable(bytes: readonly number[]): string | undefined {
  if (bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32) || byte > 126)) return undefined;
  return String.fromCharCode(...bytes.slice(0, 16_384));
}

/** `tr` on known text: ranges, classes left alone. */
export function translate(stdin: Flow, args: Arguments): Flow {
  if (stdin.of !== 'text' || !isLiteral(stdin.text))
    return stdin.of === 'paths' && args.has('-d') ? stdin : unknownFlow;
  const [from, to] = args.operands;
  if (from === undefined || /\[:/.test(from + (to ?? '')) || args.has('-c', '-C', '--complement'))
    return unknownFlow;
  const source = expandSet(from);
  if (args.has('-d', '--delete'))
    return { of: 'text', text: [...stdin.text].filter((char) => !source.includes(char)).join('') };
  if (to === undefined) return stdin;
  const target = expandSet(to);
  const last = target.at(-1) ?? '';
  const change = (char: string) => {
    const at = source.lastIndexOf(char);
    return at === -1 ? char : (target[at] ?? last);
  };
  return { of: 'text', text: [...stdin.text].map(change).join('') };
}

function expandSet(text: string): string {
  const plainText = text.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll(/\\(.)/g, '$1');
  return plainText.replaceAll(/(.)-(.)/g, (whole, from: string, to: string) => {
    const start = from.charCodeAt(0);
    const end = to.charCodeAt(0);
    if (end < start || end - start > 300) return whole;
    return Array.from({ length: end - start + 1 }, (_, index) => String.fromCharCode(start + index)).join('');
  });
}
