import type { ChangeTarget } from './change.js';

/** A store of JSON values by key, which replaces an entry of a known version: in memory, in files, or in the state. */
export interface SwapStore<Value> {
  get(key: string): Found<Value> | Promise<Found<Value>>;
  /** Writes a value, or deletes it if it is undefined. @returns false if the entry has another version. */
  swap(key: string, version: string | undefined, value: Value | undefined): boolean | Promise<boolean>;
}

type Found<Value> = { readonly value: Value; readonly version: string } | undefined;

/** The version of a value that was just written, which such a store does not return. */
const unknownVersion = '?';

const targets = new WeakMap<object, ChangeTarget>();

/** Returns a store as `change` uses it; always the same for one store. Values have no time to live and no fence. */
export function swapTarget<Value>(store: SwapStore<Value>): ChangeTarget {
  const made = targets.get(store);
  if (made !== undefined) return made;
  const target: ChangeTarget = {
    async get(key) {
      const found = await store.get(key);
      return found && { value: JSON.stringify(found.value), version: found.version };
    },
    async compareAndSet(key, text, { expected }) {
      return (await store.swap(key, expected, JSON.parse(text) as Value)) ? unknownVersion : undefined;
    },
    delete: async (key, version) => store.swap(key, version, undefined),
  };
  targets.set(store, target);
  return target;
}
