import { type Clock, constantsOf, optionRules, requireOptions } from '@tenon/foundation';
import { type State, StateError, type StateStatus, type StatusListener } from '../state.js';
import { StatusSource } from '../status-source.js';
import { type MemoryBounds, MemoryBudget, type MemoryShared } from './memory-budget.js';
import { MemoryBus } from './memory-bus.js';
import { MemoryKeyValues } from './memory-kv.js';
import { MemoryLeases } from './memory-leases.js';
import { MemoryLogs } from './memory-log.js';

/** Options of {@link memoryState}. */
export interface MemoryStateOptions {
  /** Bytes of UTF-8 of all values and log entries; 256 MiB by default. Lower it for a process with little memory. */
  readonly bytes?: number;
  /** Receives errors that subscribers throw. Default: they are dropped. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** The clock of times to live. Default: `performance`. */
  readonly clock?: Pick<Clock, 'now'> | undefined;
}

/** Keys, logs and held leases together. */
const bounds = { entries: 100_000 };

/**
 * State in the memory of this process. It holds no timer and no connection.
 * @throws TypeError or RangeError if an option is invalid.
 */
export function memoryState(options: MemoryStateOptions = {}): State {
  const { bytes = 256 * 1024 * 1024, onError = () => {}, clock = performance } = options;
  const { positive, object, callable } = optionRules;
  const rules = { bytes: positive, onError: callable, clock: object };
  requireOptions<MemoryStateOptions>('memoryState', options, rules);
  return new MemoryState({ ...constantsOf(bounds, options), bytes }, clock, onError);
}

class MemoryState implements State {
  readonly bytes: number;
  readonly kv: MemoryKeyValues;
  readonly log: MemoryLogs;
  readonly bus: MemoryBus;
  readonly leases: MemoryLeases;
  readonly #status: StatusSource;

  constructor(bounds: MemoryBounds, clock: Pick<Clock, 'now'>, onError: (error: unknown) => void) {
    this.bytes = bounds.bytes;
    this.#status = new StatusSource('ready', onError);
    const requireOpen = () => {
      if (this.status === 'closed') throw new StateError('closed', 'State: it was closed.');
    };
    const shared: MemoryShared = { clock, budget: new MemoryBudget(bounds), requireOpen };
    this.leases = new MemoryLeases(shared);
    this.kv = new MemoryKeyValues(shared, this.leases);
    this.log = new MemoryLogs(shared, this.leases);
    this.bus = new MemoryBus(requireOpen, onError);
  }

  get status(): StateStatus {
    return this.#status.status;
  }

  onStatus(listener: StatusListener): () => void {
    return this.#status.add(listener);
  }

  async close(): Promise<void> {
    if (this.status === 'closed') return;
    this.#status.become('closed');
    for (const part of [this.kv, this.log, this.leases]) part.clear();
    this.bus.close();
  }
}
