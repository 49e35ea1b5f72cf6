const escapes: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  a: '',
  b: '',
  e: '',
  f: '',
  v: '',
  '"': '"',
  "'": "'",
};

/** Backslash escapes of `printf` and `echo -e`. */
export function unescapeText(text: string): string {
  return text.replaceAll(
    /\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|0[0-7]{1,3}|[0-7]{1,3}|.)/g,
    (whole, code: string) => {
      const kind = code[0] as string;
      if (kind === 'x' || kind === 'u' || kind === 'U') return fromCode(Number.parseInt(code.slice(1), 16));
      if (/[0-7]/.test(kind)) return fromCode(Number.parseInt(code, 8));
      return escapes[code] ?? whole;
    },
  );
}

const fromCode = (code: number): string => (code > 8 && code < 0x10_ffff ? String.fromCodePoint(code) : '');
