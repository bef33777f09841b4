import { keySegment } from './keys.js';
import type {
  Fence,
  JoinSettings,
  KeyValueStore,
  LeaseStore,
  LogStore,
  MessageBus,
  State,
  WriteOptions,
} from './state.js';

/** Characters of the name in a key. A longer one is cut, and its hash is added. */
const longest = 40;

/**
 * Returns the part of a state that belongs to the servers with a name: its keys, topics and leases are not those of other names, nor those
 * of the state itself. The name is in the first segment, so that keys have the same groups as without it.
 */
export function namedState(state: State, name: string): State {
  const prefix = `${segmentOf(name)}:`;
  const at = (key: string) => prefix + key;
  const join = state.join?.bind(state);
  return {
    ...(join !== undefined && { join: (settings: JoinSettings) => join({ ...settings, name }) }),
    ...(state.bytes !== undefined && { bytes: state.bytes }),
    kv: namedValues(state.kv, at),
    log: namedLogs(state.log, at),
    bus: namedBus(state.bus, at),
    leases: namedLeases(state.leases, at),
    get status() {
      return state.status;
    },
    onStatus: (listener) => state.onStatus(listener),
    close: () => state.close(),
  };
}

type Naming = (key: string) => string;

function namedValues(kv: KeyValueStore, at: Naming): KeyValueStore {
  return {
    get: (key) => kv.get(at(key)),
    put: (key, value, options) => kv.put(at(key), value, fencedAt(options, at)),
    compareAndSet: (key, value, options) => kv.compareAndSet(at(key), value, fencedAt(options, at)),
    touch: (key, ttl) => kv.touch(at(key), ttl),
    delete: (key, expected) => kv.delete(at(key), expected),
  };
}

function namedLogs(log: LogStore, at: Naming): LogStore {
  return {
    append: (key, value, options) => log.append(at(key), value, fencedAt(options, at)),
    read: (key, after, most) => log.read(at(key), after, most),
    trim: (key, keep) => log.trim(at(key), keep),
    touch: (key, ttl) => log.touch(at(key), ttl),
    delete: (key) => log.delete(at(key)),
  };
}

function namedBus(bus: MessageBus, at: Naming): MessageBus {
  return {
    publish: (topic, text) => bus.publish(at(topic), text),
    subscribe: (topic, subscriber) => bus.subscribe(at(topic), subscriber),
  };
}

function namedLeases(leases: LeaseStore, at: Naming): LeaseStore {
  return {
    async acquire(name, ttl) {
      const lease = await leases.acquire(at(name), ttl);
      return (
        lease && {
          name,
          token: lease.token,
          renew: (longer) => lease.renew(longer),
          release: () => lease.release(),
        }
      );
    },
  };
}

/** Returns the options with the lease under its whole name. */
function fencedAt<Options extends WriteOptions | undefined>(options: Options, at: Naming): Options {
  if (options?.fence === undefined) return options;
  const { name, token } = options.fence;
  return { ...options, fence: { name: at(name), token } satisfies Fence };
}

/** Returns a name as a part of a segment, of bounded length. `=` is in no segment that is made of a name. */
function segmentOf(name: string): string {
  const segment = keySegment(name);
  return segment.length <= longest ? segment : `${segment.slice(0, longest)}=${hashOf(name)}`;
}

/** Two hashes of 32 bits (FNV-1a), from both ends of the text: a digest of Web Crypto would need a promise. */
function hashOf(text: string): string {
  let [forward, backward] = [0x811c9dc5, 0x811c9dc5];
  for (let index = 0; index < text.length; index++) {
    forward = Math.imul(forward ^ text.charCodeAt(index), 0x01000193);
    backward = Math.imul(backward ^ text.charCodeAt(text.length - 1 - index), 0x01000193);
  }
  return [forward, backward].map((half) => (half >>> 0).toString(36)).join('');
}
