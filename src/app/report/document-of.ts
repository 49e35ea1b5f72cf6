import type { Report } from '../../core/report/index.ts';
import { period, plural } from '../cli/format.ts';
import { ownVersion } from '../version.ts';
import type { Mood, ReportDocument } from './document.ts';
import { sections } from './sections/index.ts';

/** What there is to say about a run, for every form of the report. */
export function documentOf(report: Report): ReportDocument {
  const { run, asked, ending, isPublic } = report;
  return {
    run,
    isPublic,
    ...headline(report),
    title: asked.mission === '' ? `Run ${run}` : asked.mission.trim(),
    agent: [asked.agent.name, asked.agent.version ?? ''].join(' ').trim(),
    workspace: asked.workspace,
    when: period(asked.at, ending.at),
    record: recordOf(report),
    sections: sections.map((section) => section(report)).filter((section) => section !== null),
  };
}

function recordOf({ run, ending, asked, chain }: Report): string {
  const whole =
    chain === undefined
      ? ''
      : chain.ok
        ? ' · the chain of entries is whole'
        : ' · THE CHAIN OF ENTRIES IS DAMAGED';
  return `Tireless ${ownVersion()} · run ${run} · ${plural(ending.entries, 'entry', 'entries')}, policy version ${asked.policyVersion}, config ${asked.configDigest.slice(0, 12)}${whole}`;
}

/** How the run stands, in two words and one sentence. */
type Headline = Pick<ReportDocument, 'mood' | 'badge' | 'says'>;

function headline(report: Report): Headline {
  const { ending, view, certificate } = report;
  const because = ending.because;
  const told = (mood: Mood, badge: string, lead: string): Headline => ({
    mood,
    badge,
    says: because === '' ? `${lead}.` : `${lead}: ${because}`,
  });
  switch (ending.state) {
    case 'done':
      return certificate?.acceptedBy == null
        ? told('good', 'Done, proven', 'Finished, on our own evidence')
        : told('good', 'Done, accepted', 'Finished, accepted by a person');
    case 'failed':
      return told('bad', 'Failed', 'It could not go on');
    case 'stopped':
      return told('calm', 'Stopped', 'Ended before it was finished');
    case 'paused':
      return ending.cause?.startsWith('limit:') === true
        ? told('warn', 'Stopped by a limit', 'It stands at a limit and can be resumed')
        : told('warn', 'Paused', 'It stands still and can be resumed');
    case 'waiting':
      return view.waitingOn === 'approval' || view.waitingOn === 'input'
        ? told('warn', 'Needs you', 'It waits for a person')
        : told('calm', 'Waiting', `It waits (${view.waitingOn ?? 'unknown'})`);
    default:
      return told('calm', 'At work', `It is ${ending.state}`);
  }
}
