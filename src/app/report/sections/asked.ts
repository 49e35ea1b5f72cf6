import type { Report } from '../../../core/report/index.ts';
import { grouped, moment } from '../../cli/format.ts';
import { type Block, type Section, text } from '../document.ts';

const leadCharsMax = 400;

export function asked({ asked: { mission, by, at, policy, agent } }: Report): Section | null {
  if (mission === '') return null;
  const [first = '', ...rest] = mission.trim().split('\n');
  const quote = { is: 'quote', text: mission } as const;
  const lead = first.length > leadCharsMax ? `${first.slice(0, leadCharsMax)}…` : first;
  const title = `the whole mission (${grouped(mission.length)} characters)`;
  const isLong = rest.length > 4 || mission.length > 600;
  const blocks: readonly Block[] = isLong ? [text(lead), { is: 'fold', title, block: quote }] : [quote];
  const terms = `asked by ${by} on ${moment(at)} · approvals: ${policy.approvals} · the guard sees ${sees[agent.sees]} · sandbox: ${agent.sandbox ?? 'none'}`;
  return {
    title: 'What was asked',
    blocks: [...blocks, text(terms, 'faint')].map((block) => ({ ...block, isDetail: true })),
  };
}

const sees = {
  'every-action': 'every action before it happens',
  asks: 'only what the agent asks about',
  nothing: 'nothing',
} as const;
