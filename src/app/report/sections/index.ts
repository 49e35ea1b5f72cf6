import type { Report } from '../../../core/report/index.ts';
import type { Section } from '../document.ts';
import { asked } from './asked.ts';
import { certificate } from './certificate.ts';
import { changes } from './changes.ts';
import { checks } from './checks.ts';
import { decisions } from './decisions.ts';
import { denied } from './denied.ts';
import { done, notDone } from './done.ts';
import { figures } from './figures.ts';
import { history } from './history.ts';
import { next } from './next.ts';
import { people } from './people.ts';
import { questions } from './questions.ts';
import { troubles } from './troubles.ts';
import { turns } from './turns.ts';

/** What a report tells, in this order. A section that has nothing to say is null. */
export const sections: readonly ((report: Report) => Section | null)[] = [
  denied,
  next,
  figures,
  certificate,
  asked,
  done,
  notDone,
  history,
  turns,
  decisions,
  questions,
  checks,
  changes,
  people,
  troubles,
];
