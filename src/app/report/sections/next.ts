import type { Report } from '../../../core/report/index.ts';
import type { Section } from '../document.ts';

export const next = ({ ending }: Report): Section | null =>
  ending.next === null
    ? null
    : { title: 'The one safe next step', look: 'next', blocks: [{ is: 'command', text: ending.next }] };
