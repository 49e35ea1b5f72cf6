import type { EngineOptions } from './engine.ts';
import type { WireError } from './faults.ts';
import type { Op, Request, Requests } from './requests.ts';

/** What the store's thread is started with. */
export interface WorkerStart {
  readonly path: string;
  readonly options: Pick<EngineOptions, 'bytesMax' | 'busyMs' | 'allowNetwork'>;
}

/** To the store's thread. */
export type ToWorker =
  | { readonly id: number; readonly request: Request }
  | { readonly watch: string }
  | { readonly unwatch: string }
  | { readonly close: true };

/** From the store's thread. */
export type FromWorker =
  | { readonly id: number; readonly value: Requests[Op]['out'] }
  | { readonly id: number; readonly error: WireError }
  | { readonly changed: string }
  | { readonly closed: true };
