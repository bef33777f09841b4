import { type Clock, jsonIn } from '@tenon/foundation';
import { ErrorCode, RpcError } from '@tenon/mcp-protocol';
import { isObject, stateCallerName, stateFailureOf } from '@tenon/mcp-protocol/internal';
import type { KeyValueStore, State, StateFailure } from '@tenon/mcp-state';
import type { ChangedKey } from '@tenon/mcp-state/internal';
import { factsOf } from '../context/context.js';
import { randomName } from '../core/random-name.js';
import { shareUsedUp } from '../core/state-failure.js';
import { digestOf } from '../sealing/digest.js';
import {
  type HandleCaller,
  type HandleSettings,
  type Handles,
  ownerOf,
  retentionOf,
  unknownHandle,
} from './handle-options.js';

interface SharedHandleParts {
  readonly state: State;
  /** Milliseconds since 1970. */
  readonly clock: Pick<Clock, 'now'> | undefined;
}

interface StoredValue<T> {
  readonly owner: string;
  readonly opened: number;
  readonly value: T;
}

type Listed = readonly (readonly [id: string, opened: number])[];

/** Handles of values in shared state. */
export class SharedHandles<T> implements Handles<T> {
  readonly retention: string;
  readonly #settings: HandleSettings<unknown>;
  readonly #state: State;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #pattern: RegExp;

  constructor(settings: HandleSettings<T>, { state, clock = Date }: SharedHandleParts) {
    this.#settings = settings as HandleSettings<unknown>;
    this.#state = state;
    this.#clock = clock;
    this.#pattern = new RegExp(`^${this.#settings.prefix}_[a-z2-9]{26}$`);
    this.retention = retentionOf(this.#settings, 'opened');
  }

  async open(caller: HandleCaller, value: T): Promise<string> {
    const { lifetime, perCaller, prefix } = this.#settings;
    const id = `${prefix}_${randomName()}`;
    const owner = ownerOf(caller);
    const opened = this.#clock.now();
    const text = JSON.stringify({ owner, opened, value } satisfies StoredValue<T>);
    let displaced: Listed = [];
    const add = (listed: Listed): Listed => {
      const all = [...listed.filter(([, since]) => since + lifetime > opened), [id, opened] as const];
      displaced = all.slice(0, -perCaller);
      return all.slice(-perCaller);
    };
    const kv = await this.#kvOf(caller);
    return this.#reached(async () => {
      // First: if the value does not fit, no other handle may have ended for it.
      await kv.put(keyOf(id), text, { ttl: this.#ttl(opened) });
      await this.#changeList(caller, add);
      await Promise.all(displaced.map(([old]) => kv.delete(keyOf(old))));
      return id;
    });
  }

  get(caller: HandleCaller, id: string): Promise<T> {
    return this.#reached(async () => {
      const { value, opened } = await this.#find(caller, id);
      const { idle, lifetime } = this.#settings;
      if (idle < lifetime) await (await this.#kvOf(caller)).touch(keyOf(id), this.#ttl(opened));
      return value;
    });
  }

  update(caller: HandleCaller, id: string, change: (value: T) => T): Promise<T> {
    return this.#reached(async () => {
      const key = keyOf(this.#checked(id));
      let opened = 0;
      let changed: T | undefined;
      // Each change has a copy of the value: those of one process share a write.
      const form = {
        read: (text: string) => ({ text }),
        write: ({ text }: { readonly text: string }) => text,
      };
      await this.#changed(caller, { key, ttl: () => this.#ttl(opened), ...form }, (found) => {
        const { owner, value, ...stored } = this.#theirs(caller, found && storedIn<T>(found.text));
        opened = stored.opened;
        changed = change(value);
        return { text: JSON.stringify({ owner, opened, value: changed } satisfies StoredValue<T>) };
      });
      return changed as T;
    });
  }

  close(caller: HandleCaller, id: string): Promise<void> {
    return this.#reached(async () => {
      await this.#find(caller, id);
      if (!(await (await this.#kvOf(caller)).delete(keyOf(id)))) throw unknownHandle(this.#settings);
      await this.#changeList(caller, (listed) => listed.filter(([one]) => one !== id));
    });
  }

  closeAll(): void {}

  sweep(): void {}

  async #find(caller: HandleCaller, id: string): Promise<StoredValue<T>> {
    const stored = await (await this.#kvOf(caller)).get(keyOf(this.#checked(id)));
    return this.#theirs(caller, stored && storedIn<T>(stored.value));
  }

  #checked(id: string): string {
    if (typeof id !== 'string' || !this.#pattern.test(id)) throw unknownHandle(this.#settings);
    return id;
  }

  #theirs(caller: HandleCaller, stored: StoredValue<T> | undefined): StoredValue<T> {
    const isOver = stored === undefined || this.#clock.now() - stored.opened >= this.#settings.lifetime;
    if (isOver || stored.owner !== ownerOf(caller)) throw unknownHandle(this.#settings);
    return stored;
  }

  #ttl(opened: number): number {
    const { idle, lifetime } = this.#settings;
    return Math.max(1, Math.ceil(Math.min(idle, opened + lifetime - this.#clock.now())));
  }

  /** The values of the state, counted for the caller. */
  async #kvOf(caller: HandleCaller): Promise<KeyValueStore> {
    // Servers without shared state do not load it.
    const { quotaOn } = await import('../core/state-code.js');
    const facts = factsOf(caller) ?? { principal: caller.auth, anonymous: true };
    return quotaOn(this.#state).of(stateCallerName(facts)).kv;
  }

  async #changeList(caller: HandleCaller, next: (listed: Listed) => Listed): Promise<void> {
    const { prefix, lifetime } = this.#settings;
    const key = `handle-list/${await digestOf([prefix, ownerOf(caller)])}`;
    const ttl = () => Math.ceil(lifetime);
    await this.#changed<Listed>(caller, { key, ttl }, (listed) =>
      next(Array.isArray(listed) ? listed.filter(isListed) : []),
    );
  }

  /** Changes a value of the state, counted for the caller. */
  async #changed<Value>(
    caller: HandleCaller,
    to: Pick<ChangedKey<Value>, 'key' | 'ttl' | 'read' | 'write'>,
    next: (value: Value | undefined) => Value,
  ): Promise<Value | undefined> {
    const { ConflictError, change } = await import('../core/state-code.js');
    try {
      return await change({ ...to, kv: await this.#kvOf(caller), backend: this.#state.kv }, next);
    } catch (error) {
      throw error instanceof ConflictError ? busy(this.#settings.name, error) : error;
    }
  }

  async #reached<Result>(task: () => Promise<Result>): Promise<Result> {
    try {
      return await task();
    } catch (error) {
      if (error instanceof RpcError) throw error;
      const reason = stateFailureOf<StateFailure>(error);
      if (reason === 'quota') throw shareUsedUp(`The ${this.#settings.name} was not stored.`, error);
      throw isAway(reason) ? unreachable(this.#settings.name, error) : error;
    }
  }
}

function keyOf(id: string): string {
  return `handle/${id}`;
}

function isAway(reason: StateFailure | undefined): boolean {
  return reason === 'unavailable' || reason === 'closed' || reason === 'full';
}

function unreachable(name: string, cause: unknown): RpcError {
  return new RpcError(ErrorCode.overloaded, `The ${name} cannot be reached now; try again later.`, { cause });
}

function busy(name: string, cause: unknown): RpcError {
  const message = `The ${name} is being changed by other calls; try again later.`;
  return new RpcError(ErrorCode.overloaded, message, { cause });
}

/** Returns a stored value; undefined if another program wrote something else. */
function storedIn<T>(text: string): StoredValue<T> | undefined {
  const stored = jsonIn(text);
  const isStored = isObject(stored) && typeof stored.opened === 'number';
  return isStored ? (stored as unknown as StoredValue<T>) : undefined;
}

/** True for an entry of a list that no other program wrote. */
function isListed(entry: unknown): boolean {
  return Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number';
}
