import { strangers } from './codex/strangers.ts';
import { threads } from './codex/threads.ts';

threads();
strangers();
