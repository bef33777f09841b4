import type { State } from '@tenon/mcp-state';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchOf, failureOf, type StateBackend, type StateTest } from './state/backend.js';
import { keyValueTests } from './state/key-values.js';
import { leaseTests } from './state/leases.js';
import { logTests } from './state/logs.js';
import { messageTests, reconnectTests } from './state/messages.js';

export { SharedMemory } from '@tenon/mcp-state/internal';
export type { StateBackend } from './state/backend.js';

/**
 * Defines tests of the whole contract of {@link State} for a backend: values, logs, messages and leases, races and limits included.
 * @param start - starts the backend, once for all tests. A backend that is shared is not emptied: the tests use names of their own.
 */
export function describeState(name: string, start: () => StateBackend | Promise<StateBackend>): void {
  describe(name, () => {
    let backend: StateBackend;
    let states: readonly [State, State];

    beforeAll(async () => {
      backend = await start();
      states = [await backend.open(), await backend.open()];
    });
    afterAll(async () => {
      await Promise.all(states.map((state) => state.close()));
      await backend.close?.();
    });

    const suites: readonly (readonly [title: string, kind: string, tests: readonly StateTest[]])[] = [
      ['values', 'kit-value', keyValueTests],
      ['logs', 'kit-log', logTests],
      ['messages', 'kit-topic', messageTests],
      ['leases', 'kit-lease', leaseTests],
    ];
    for (const [title, kind, tests] of suites)
      describe(title, () => {
        it.each(tests)('%s', async (_, body) => body(benchOf(backend, states, kind)));
      });

    describe('connections', () => {
      it.each(reconnectTests)('%s', async (_, body) => {
        if (backend.interrupt !== undefined) await body(benchOf(backend, states, 'kit-connection'));
        else expect(states.every(({ join }) => join === undefined)).toBe(true);
      });

      it('rejects every call after close, and closes once', async () => {
        const { one: state, name: named } = benchOf(backend, [await closable(), states[1]], 'kit-closed');
        const seen: string[] = [];
        state.onStatus((status) => {
          seen.push(status);
        });
        await Promise.all([state.close(), state.close()]);
        await state.close();
        expect([state.status, seen]).toEqual(['closed', ['closed']]);
        const calls = [
          state.kv.get(named('a')),
          state.kv.put(named('a'), ''),
          state.log.append(named('a'), ''),
          state.log.read(named('a'), 0),
          state.bus.publish(named('a'), ''),
          state.bus.subscribe(named('a'), { message: () => {}, gap: () => {} }),
          state.leases.acquire(named(), 1_000),
        ];
        expect(await Promise.all(calls.map(failureOf))).toEqual(calls.map(() => 'closed'));
      });
    });

    /** Opens a state that a test may close, with a backend of its own: one process may have one state only. */
    async function closable(): Promise<State> {
      const state = await backend.open();
      if (!states.includes(state)) return state;
      const fresh = await start();
      return fresh.open();
    }
  });
}
