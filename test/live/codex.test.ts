import { compaction } from './codex/compaction.ts';
import { failures } from './codex/failures.ts';
import { strangers } from './codex/strangers.ts';
import { threads } from './codex/threads.ts';

threads();
strangers();
failures();
compaction();
