import { type State, StateError } from '@tenon/mcp-state';
import * as adapter from '@tenon/mcp-state/adapter';
import { SharedMemory } from '@tenon/mcp-state/internal';
import { describeState } from '@tenon/mcp-testing/state';
import { describe, expect, it } from 'vitest';
import type { ChildMessage, SupervisorMessage } from '../child-messages.js';
import { RemoteState } from './remote-state.js';
import { StateHost } from './state-host.js';

const parts = { ...adapter, StateError };

/** Returns a state with calls that pass a channel of JSON, as between two processes. */
function remote(state: State): RemoteState {
  const host = new StateHost(state, (message) => {
    const text = JSON.stringify(message);
    setImmediate(() => child.receive(JSON.parse(text) as SupervisorMessage));
  });
  const child = new RemoteState(parts, (message) => {
    const text = JSON.stringify(message);
    setImmediate(() => {
      const received = JSON.parse(text) as ChildMessage;
      if (received.type === 'state') host.receive(received);
    });
  });
  return child;
}

describeState('the state of a supervisor', () => {
  const memory = new SharedMemory();
  return {
    // The channel of a process does not break and return, which the kit would test otherwise.
    open: () =>
      new Proxy<State>(remote(memory.open()), {
        get: (state, name) => {
          const member: unknown = name === 'join' ? undefined : Reflect.get(state, name, state);
          return typeof member === 'function' ? member.bind(state) : member;
        },
      }),
  };
});

describe('StateHost', () => {
  it('rejects calls that the state does not have', async () => {
    const answers: SupervisorMessage[] = [];
    const host = new StateHost(new SharedMemory().open(), (message) => answers.push(message));
    for (const method of ['kv.constructor', '__proto__.toString', 'bus.close'])
      host.receive({ id: 1, method, args: [7, 8] });
    await new Promise((resolve) => setImmediate(resolve));
    expect(answers.map(({ type }) => type)).toEqual(['state-error', 'state-error', 'state-error']);
  });
});
