import { clean } from './clean.ts';

/** Text that is markup already: made by `html`, or by us alone. */
export interface Markup {
  readonly markup: string;
}

type Value = string | number | Markup | readonly Markup[] | null | undefined | false;

/** Markup from a template. Every value is text and escaped, unless it is markup itself: nothing slips through by forgetting. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  let markup = strings[0] ?? '';
  for (const [i, value] of values.entries()) markup += rendered(value) + (strings[i + 1] ?? '');
  return { markup };
}

/** A class attribute; none for no class. */
export const classed = (name: string | undefined): Markup => (name ? html` class="${name}"` : html``);

function rendered(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escapeHtml(value);
  if ('markup' in value) return value.markup;
  return value.map((one) => one.markup).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Cleaned and escaped for element content and for quoted attributes alike. */
const escapeHtml = (text: string): string =>
  clean(text).replaceAll(/[&<>"']/g, (char) => entities[char] ?? '');
