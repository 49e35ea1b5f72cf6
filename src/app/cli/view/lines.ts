import type { Entry, Outcome } from '../../../contract/index.ts';
import { duration, oneLine } from '../format.ts';

export type Tone = 'plain' | 'dim' | 'good' | 'bad' | 'warn' | 'strong';

/** One line of a run's story, before colours and width. */
export interface Line {
  readonly at: number;
  readonly icon: string;
  readonly text: string;
  readonly tone: Tone;
}

const textMax = 400;

/** What a person following a run wants to read of an entry: often nothing. */
export function linesOf(entry: Entry): readonly Line[] {
  const line = (icon: string, text: string, tone: Tone = 'plain'): Line => ({
    at: entry.at,
    icon,
    text: oneLine(text, textMax),
    tone,
  });
  if (entry.late === true) return [];
  return [...eventLines(entry, line), ...answerLines(entry, line), ...decisionLines(entry, line)];
}

type Make = (icon: string, text: string, tone?: Tone) => Line;

function eventLines(entry: Entry, line: Make): readonly Line[] {
  const { event } = entry;
  switch (event.type) {
    case 'run-created':
      return [line('◆', event.mission.text, 'strong')];
    case 'keeper-started':
      return event.epoch > 2 ? [line('↻', pickedUp(event), 'dim')] : [];
    case 'person-asked':
      return [line('☞', `${event.by} asked to ${event.ask}${event.now === true ? ' now' : ''}`, 'warn')];
    case 'steer-given':
      return [line('☞', `${event.by}: ${event.text.text}`, 'warn')];
    case 'task-written':
      return [
        line('☐', `${event.by}: ${taskWords(event.write)}`, event.from === 'person' ? 'warn' : 'plain'),
      ];
    case 'memory-noted':
      return [line('✻', `${event.by} notes (${event.note.kind}): ${event.note.text}`, 'dim')];
    case 'limits-changed':
      return [line('☞', `${event.by} changed limits: ${JSON.stringify(event.limits)}`, 'warn')];
    case 'turn-started':
      return [
        event.dispatch === undefined
          ? line('○', 'someone else started a turn; following it', 'warn')
          : line('●', 'turn started', 'strong'),
      ];
    case 'item-ended':
      return itemLines(event, line);
    case 'error-seen':
      return [
        line('!', `${event.failure.message}${event.willRetry ? ' (the agent tries again)' : ''}`, 'bad'),
      ];
    case 'compaction-seen':
      return [line('⋯', 'the agent compacted its context', 'dim')];
    case 'status-reported':
      return [line('⚑', `the agent reports ${event.status}: ${event.text.text}`, 'strong')];
    case 'session-ended':
      return [line('✗', `the agent ended: ${event.failure?.message ?? 'no reason given'}`, 'bad')];
    case 'turn-ended':
      return event.status === 'completed'
        ? []
        : [
            line(
              '✗',
              `turn ${event.status}${event.failure === undefined ? '' : `: ${event.failure.message}`}`,
              'bad',
            ),
          ];
    case 'unreadable':
      return [line('?', `unreadable from ${event.source}: ${event.because}`, 'warn')];
    case 'effect-ended':
      return outcomeLines(event.outcome, line);
    default:
      return [];
  }
}

const pickedUp = ({ pid, policyUpgrade: to }: Extract<Entry['event'], { type: 'keeper-started' }>): string =>
  `picked up by process ${pid}${to === undefined ? '' : `; policy version ${to.from} becomes ${to.to}`}`;

function outcomeLines(outcome: Outcome, line: Make): readonly Line[] {
  if (outcome.of === 'checks-run') return outcome.results.map((r) => checkLine(r, line));
  if (outcome.of !== 'summarise') return [];
  const { cycle, memories, recalled, problems = [] } = outcome;
  const kept = cycle === 0 ? '' : `cycle ${cycle} left ${memories.length} memories; `;
  return [
    line('✻', `${kept}${recalled.length} memories for the next cycle`, 'dim'),
    ...problems.map((problem) => line('!', problem, 'warn')),
  ];
}

function taskWords(write: Extract<Entry['event'], { type: 'task-written' }>['write']): string {
  if (write.action === 'add') return `new task: ${write.text}`;
  if (write.action === 'remove') return `task ${write.id} removed`;
  const { status, priority, note, text } = write;
  const changes = [
    ...(status === undefined ? [] : [status === 'done' ? 'called done' : status]),
    ...(priority === undefined ? [] : [`priority ${priority}`]),
    ...[text, note].filter((words) => words !== undefined),
  ];
  return `task ${write.id} ${changes.join(' · ')}`;
}

function itemLines(event: Extract<Entry['event'], { type: 'item-ended' }>, line: Make): readonly Line[] {
  switch (event.kind) {
    case 'command': {
      const end = event.outcome === 'declined' ? 'declined' : `exit ${event.exitCode ?? '?'}`;
      return [
        line(
          '$',
          `${event.label} → ${end}`,
          event.outcome === 'ok' ? 'plain' : event.outcome === 'declined' ? 'warn' : 'bad',
        ),
      ];
    }
    case 'edit':
      return [
        line(
          '✎',
          `${event.label}${event.outcome === 'declined' ? ' (declined)' : ''}`,
          event.outcome === 'declined' ? 'warn' : 'plain',
        ),
      ];
    case 'message':
      return [line('“', event.label, 'dim')];
    case 'tool':
      return [line('⚙', event.label, event.outcome === 'ok' ? 'plain' : 'bad')];
    default:
      return [];
  }
}

const checkLine = (
  r: { name: string; command: string; outcome: string; exitCode: number | null; durationMs: number },
  line: Make,
): Line =>
  line(
    r.outcome === 'passed' ? '✓' : '✗',
    `${r.name}: ${r.outcome} (${r.command}, exit ${r.exitCode ?? 'none'}, ${duration(r.durationMs)})`,
    r.outcome === 'passed' ? 'good' : 'bad',
  );

/** Every automatic answer is shown with the rule that gave it. */
function answerLines(entry: Entry, line: Make): readonly Line[] {
  return (entry.effects ?? []).flatMap((effect) => {
    if (effect.type === 'gate-open')
      return [line('?', `${effect.gate} asks: ${effect.asks.text} — ${effect.because}`, 'warn')];
    if (effect.type === 'savepoint') return [line('⛁', `savepoint ${effect.name} ${effect.because}`, 'dim')];
    if (effect.type !== 'request-answer') return [];
    const by = effect.rule === 'person' ? '' : ` [${effect.rule}]`;
    // What the guard allows by itself shows as the thing that was done.
    const isTold = effect.rule === 'person' || effect.rule.startsWith('shape:');
    if (effect.answer === 'approve')
      return isTold ? [line('✓', `approved: ${effect.because}${by}`, 'good')] : [];
    return [
      line(
        effect.answer === 'deny' ? '✗' : '✓',
        `${effect.answer === 'deny' ? 'denied' : 'answered'}: ${effect.because}${by}`,
        effect.answer === 'deny' ? 'bad' : 'good',
      ),
    ];
  });
}

const decisionIcons = { continue: '▶', wait: '◷', verify: '⊙', review: '⊙', pause: '‖', stop: '■' } as const;

function decisionLines(entry: Entry, line: Make): readonly Line[] {
  const { decision } = entry;
  if (decision === undefined) return [];
  const tone: Tone =
    decision.to === 'done'
      ? 'good'
      : decision.verdict === 'continue' || decision.verdict === 'verify'
        ? 'strong'
        : 'warn';
  const word = decision.to === 'done' ? 'done' : decision.verdict;
  return [
    line(
      decision.to === 'done' ? '✔' : decisionIcons[decision.verdict],
      `${word} — ${decision.because} [${decision.rule}]`,
      tone,
    ),
  ];
}
