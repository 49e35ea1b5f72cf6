import { describe, expect, it } from 'vitest';
import { terminalSvg } from '../../tools/terminal-svg.ts';

const sgr = '\u001b[';

describe('the picture of a terminal', () => {
  it('keeps colours and weight, into the next line too', () => {
    const svg = terminalSvg([`${sgr}1;31mred\nstill${sgr}0m plain`], 'test', 1);
    expect(svg).toContain('class="b" fill="#e06c75">red<');
    expect(svg).toContain('class="b" fill="#e06c75">still<');
    expect(svg).toMatch(/<tspan x="[\d.]+">plain</);
  });

  it('puts what follows a wide sign where the terminal had it', () => {
    const [, column] = /<tspan x="([\d.]+)">src/.exec(terminalSvg(['✎ src'], 'test', 1)) ?? [];
    const [, expected] = /<tspan x="([\d.]+)">src/.exec(terminalSvg(['  src'], 'test', 1)) ?? [];
    expect(column).toBe(expected);
  });

  it('shows text as text', () => {
    expect(terminalSvg(['<b> & "x"'], 'a "title"', 1)).toContain('&lt;b&gt;\u00a0&amp;\u00a0&quot;x&quot;');
  });

  it('moves only when there is more than one screen', () => {
    expect(terminalSvg(['one'], 'test', 1)).not.toContain('animation');
    expect(terminalSvg(['one', 'two'], 'test', 2)).toContain('animation:show 4s');
  });
});
