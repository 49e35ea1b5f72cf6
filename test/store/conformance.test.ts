import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Holder } from '../../src/contract/ports.ts';
import { holderHere } from '../../src/edge/lock.ts';
import { openInline, openThreaded } from '../../src/edge/store/sqlite.ts';
import { memoryStore } from '../../src/testkit/memory-store.ts';
import { type OpenStore, storeConformance } from '../../src/testkit/store-conformance.ts';
import { ownFolder } from './places.ts';

const words = { describe, it, expect };

const overSqlite =
  (open: typeof openInline): OpenStore =>
  async (clock) => {
    const path = join(ownFolder(), 'home', 'tireless.db');
    const stores = [open(path, { clock })];
    return {
      store: stores[0] as (typeof stores)[number],
      another: async () => {
        const store = open(path, { clock });
        stores.push(store);
        return store;
      },
      living: holderHere,
      // Our own process id, but of an earlier process that had it.
      dead: (session) => ({ ...holderHere(session), pidStart: `${holderHere(session).pidStart}0` }),
      hashes: true,
      end: async () => {
        for (const store of stores) await store.close();
      },
    };
  };

const overMemory =
  (hashed: boolean): OpenStore =>
  async (clock) => {
    const store = memoryStore(clock, { hashed });
    const living = (session: string): Holder => ({ session, pid: 1, pidStart: 'here', host: 'h' });
    return {
      store,
      another: async () => store,
      living,
      dead: (session) => {
        const holder = { ...living(session), pid: 2 };
        store.markDead(holder);
        return holder;
      },
      hashes: hashed,
      end: () => store.close(),
    };
  };

storeConformance('the memory store', overMemory(false), words);
storeConformance('the hashing memory store', overMemory(true), words);
storeConformance('the inline SQLite store', overSqlite(openInline), words);
storeConformance('the threaded SQLite store', overSqlite(openThreaded), words);
