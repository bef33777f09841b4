import { isRecord, jsonIn } from '@tenon/foundation';
import type { JsonObject } from '@tenon/mcp-protocol';
import type { State } from '@tenon/mcp-state';
import { change, digestSegment } from '@tenon/mcp-state/internal';
import type { GrantStore } from './access/grant-store.js';

/**
 * Returns a store in state, shared by hosts in any number of processes. It must keep what it has: a state that drops values at random, or
 * after a time, forgets refusals. Its methods reject with a StateError while the state cannot be reached, and requests of the host with
 * them.
 * @throws TypeError if it is not a state.
 */
export function stateGrants(state: Pick<State, 'kv'>): GrantStore {
  if (!isRecord(state) || !isRecord(state.kv))
    throw new TypeError('stateGrants() takes a state, such as memoryState() of @tenon/mcp-state.');
  const { kv } = state;
  // Names of users and addresses can be longer than keys, and should not be read in them.
  const keyOf = async (key: string) => `host-grants/${await digestSegment(key)}`;
  return {
    async change(key, update) {
      return change<JsonObject>({ kv, key: await keyOf(key) }, update);
    },
    async read(key) {
      const place = await keyOf(key);
      const found = await kv.get(place);
      if (found === undefined) return undefined;
      const document = jsonIn(found.value);
      if (isRecord(document)) return document as JsonObject;
      throw new Error(
        `stateGrants(): the value of "${place}" is not of this program. Delete it if no other one needs it.`,
      );
    },
  };
}
