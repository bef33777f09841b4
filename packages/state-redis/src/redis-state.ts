import { constantsOf } from '@tenon/foundation';
import type { JoinSettings, Processes, State, StateStatus, StatusListener } from '@tenon/mcp-state';
import { joinProcesses, StatusSource } from '@tenon/mcp-state/adapter';
import { Commands } from './connection/commands.js';
import { Link, type Schedule } from './connection/link.js';
import { openersOf } from './connection/opening.js';
import { RedisBus } from './data/redis-bus.js';
import { RedisKeyValues } from './data/redis-kv.js';
import { RedisLeases } from './data/redis-leases.js';
import { RedisLogs } from './data/redis-log.js';
import { KeyLayout } from './key-layout.js';
import { type RedisStateOptions, requireRedisOptions } from './redis-options.js';

const redisBounds = {
  /** Calls that wait for an answer at the same time; a further one rejects with reason `unavailable`. */
  calls: 10_000,
  /** Milliseconds of the longest pause between two attempts to connect. The first pause has at most 50. */
  reconnectDelay: 2_000,
};

// Node runs timers beyond this at once.
const longest = 2 ** 31 - 1;

/**
 * State in Redis or Valkey, shared by all processes with the same name of the server, or the same prefix. Connects in the background: its status is
 * `unavailable` until then, and the first calls wait.
 * @param options - the URL of a server, or options.
 * @throws TypeError or RangeError if an option is malformed.
 */
export function redisState(options: string | RedisStateOptions): State {
  const chosen = typeof options === 'string' ? { url: options } : options;
  requireRedisOptions(chosen);
  return openState(chosen, schedule);
}

/** Opens a state with its time limits and pauses on these timers. */
export function openState(options: RedisStateOptions, schedule: Schedule): State {
  return new RedisState(options, schedule);
}

class RedisState implements State {
  readonly kv: RedisKeyValues;
  readonly log: RedisLogs;
  readonly bus: RedisBus;
  readonly leases: RedisLeases;
  readonly #commands: Commands;
  readonly #links: readonly Link[];
  readonly #onError: (error: unknown) => void;
  readonly #status: StatusSource;
  readonly #down = new Set<string>(['commands']);
  /** True if the user has set the prefix: servers with different names then share what they keep. */
  readonly #isNamed: boolean;

  constructor(options: RedisStateOptions, schedule: Schedule) {
    const { prefix = 'tenon', timeout = 2_000 } = options;
    const { calls, reconnectDelay } = constantsOf(redisBounds, options);
    this.#isNamed = options.prefix !== undefined;
    this.#onError = (error) => reportTo(options.onError, error);
    this.#status = new StatusSource('unavailable', this.#onError);
    const open = openersOf(options, timeout);
    const link = (name: 'commands' | 'messages') =>
      new Link({
        open: open[name],
        timeout,
        reconnectDelay,
        schedule,
        random: Math.random,
        prepare: async (wire) => {
          if (name === 'messages') await this.bus.resubscribe(wire);
        },
        onDown: (cause) => this.#changed(name, cause),
        onUp: () => this.#changed(name),
      });
    const commandLink = link('commands');
    const messageLink = link('messages');
    this.#links = [commandLink, messageLink];
    const commands = new Commands({ link: commandLink, timeout, calls, schedule });
    this.#commands = commands;
    const keys = new KeyLayout(prefix);
    this.kv = new RedisKeyValues(commands, keys);
    this.log = new RedisLogs(commands, keys);
    this.leases = new RedisLeases(commands, keys);
    this.bus = new RedisBus({ commands, keys, link: messageLink, onError: this.#onError });
    commandLink.start();
  }

  join(settings: JoinSettings): Processes {
    return joinProcesses(this, this.#isNamed ? { ...settings, name: undefined } : settings);
  }

  get status(): StateStatus {
    return this.#status.status;
  }

  onStatus(listener: StatusListener): () => void {
    return this.#status.add(listener);
  }

  async close(): Promise<void> {
    if (this.status === 'closed') return;
    this.#commands.close();
    this.bus.close();
    for (const link of this.#links) link.close();
    this.#status.become('closed');
  }

  /** Records that a link is up, or down because of an error. */
  #changed(name: string, cause?: Error): void {
    if (cause === undefined) this.#down.delete(name);
    else {
      this.#down.add(name);
      this.#onError(cause);
    }
    this.#status.become(this.#down.size === 0 ? 'ready' : 'unavailable', cause);
  }
}

function reportTo(onError: ((error: unknown) => void) | undefined, error: unknown): void {
  try {
    onError?.(error);
  } catch {
    // An observer that throws must not stop the connection from being opened again.
  }
}

/** Runs a task after the answers that arrived meanwhile: a process that was busy has not read them when its timers are due. */
export const schedule: Schedule = (task, ms) => {
  let turn: NodeJS.Immediate | undefined;
  const timer = setTimeout(
    () => {
      turn = setImmediate(task);
    },
    Math.min(ms, longest),
  );
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
};
