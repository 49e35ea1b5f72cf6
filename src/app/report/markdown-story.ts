import type { GateStory, Report, TurnStory } from '../../core/report/index.ts';
import { count } from '../cli/format.ts';
import { code, inline, section, tableOf } from './markdown-text.ts';
import { clock, gateWords, itemWords, money, span } from './phrases.ts';

export function turnsPart({ turns }: Report): string | null {
  if (turns.total === 0) return null;
  const row = (turn: TurnStory): readonly string[] => [
    turn.isForeign ? 'not ours' : String(turn.turn),
    clock(turn.startedAt),
    turn.endedAt === null ? '…' : span(turn.durationMs),
    turn.tokens === null ? '–' : count(turn.tokens),
    turn.money === null ? '–' : inline(money(turn.money)),
    [turn.status === 'completed' ? '' : turn.status, turn.failure?.kind ?? '', itemWords(turn)]
      .filter((part) => part !== '')
      .join(', '),
    turn.changed.length === 0 ? 'nothing' : turn.changed.join(', '),
    turn.decided
      .map((one) => `${one.to === 'done' ? 'done' : one.verdict} (${inline(one.rule)})`)
      .join(' → '),
  ];
  return section(
    `Turns: ${turns.total}`,
    tableOf(['turn', 'began', 'took', 'tokens', 'cost', 'did', 'changed', 'then'], turns, row),
  );
}

export function decisionsPart({ decisions, rules }: Report): string | null {
  if (decisions.total === 0) return null;
  const byRule = rules
    .map(({ verdict, rule, times }) => `${verdict} by ${inline(rule)}: ${times}`)
    .join(' · ');
  return section(
    `Decisions: ${decisions.total}`,
    byRule,
    tableOf(['at', 'turn', 'verdict', 'rule', 'because', 'confidence', 'advice'], decisions, (one) => [
      ...[
        clock(one.at),
        String(one.turn),
        one.verdict,
        inline(one.rule),
        inline(one.because),
        String(one.confidence),
      ],
      one.advice === null
        ? ''
        : `${one.advice.action}${one.advice.overridden ? ', overridden' : ''} ${inline(one.advice.reason)}`.trim(),
    ]),
  );
}

export function gatesPart({ gates, answers, denials }: Report): string | null {
  const row = (gate: GateStory): readonly string[] => [
    ...[
      clock(gate.askedAt),
      code(gate.asks === '' ? gate.kind : gate.asks),
      `${inline(gate.because)} (${inline(gate.rule)})`,
    ],
    `${gateWords[gate.end]}${gate.by === null ? '' : ` by ${inline(gate.by)}`}`,
  ];
  const byRule = answers.map(
    ({ answer, rule, times }) =>
      `* ${answer === 'approve' ? 'approved' : 'denied'} by ${inline(rule)}: ${times}`,
  );
  return section(
    'Questions and approvals',
    gates.total === 0 ? null : tableOf(['asked', 'what', 'why', 'answer'], gates, row),
    byRule.length === 0 ? null : `Answered by rule, without a person:\n\n${byRule.join('\n')}`,
    denials.total === 0
      ? null
      : tableOf(['refused at', 'rule', 'what', 'why'], denials, (one) => [
          clock(one.at),
          inline(one.rule),
          code(one.action),
          inline(one.because),
        ]),
  );
}
