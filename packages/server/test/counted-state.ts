import { type State, StateError } from '@tenon/mcp-state';
import { joinProcesses } from '@tenon/mcp-state/adapter';

/** A state, and the calls of its values in their order. */
export interface CountedState {
  readonly state: State;
  readonly calls: string[];
  /** True to make the calls fail, while the state says that it is ready. */
  fails: boolean;
}

/** Records the calls of a state's values, each as the name of its method. */
export function countedState(from: State): CountedState {
  const kv = new Proxy(from.kv, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        counted.calls.push(String(name));
        if (counted.fails) return Promise.reject(new StateError('unavailable', 'State: a test failed it.'));
        return Reflect.apply(member, target, given);
      };
    },
  });
  const state: State = {
    kv,
    log: from.log,
    bus: from.bus,
    leases: from.leases,
    get status() {
      return from.status;
    },
    onStatus: (listener) => from.onStatus(listener),
    close: () => from.close(),
    join: (settings) => joinProcesses(state, settings),
  };
  const counted: CountedState = { state, calls: [], fails: false };
  return counted;
}
