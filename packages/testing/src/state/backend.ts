import { type State, StateError } from '@tenon/mcp-state';

/** A backend that {@link describeState} tests. */
export interface StateBackend {
  /** Opens the state as one more process would. Called several times; a backend within one process may return the same state. */
  open(): State | Promise<State>;
  /** Waits until milliseconds have passed at the backend. Default: uses timers. */
  advance?(ms: number): Promise<void>;
  /**
   * Breaks all connections to the backend, which stays reachable: the states open new ones by themselves. Default: the backend has
   * no connections, and the tests of reconnecting are left out.
   */
  interrupt?(): Promise<void>;
  /** Ends what `open` does not: the server, the folder, the clock. */
  close?(): void | Promise<void>;
}

/** The backend and the names of one test. */
export interface Bench {
  readonly backend: StateBackend;
  /** Two views of the state, as of two processes. */
  readonly one: State;
  readonly other: State;
  /** A key, topic or lease name that no other test uses. `more` follows as further segments. */
  name(more?: string): string;
  /** Waits until milliseconds have passed at the backend. */
  advance(ms: number): Promise<void>;
}

/** A test of the contract: its title, and its body. */
export type StateTest = readonly [title: string, body: (bench: Bench) => Promise<void>];

let names = 0;

/** @param kind - the first segment of all names of a test. */
export function benchOf(backend: StateBackend, [one, other]: readonly [State, State], kind: string): Bench {
  names += 1;
  const group = `${kind}/${Date.now().toString(36)}-${names}`;
  return {
    backend,
    one,
    other,
    name: (more) => (more === undefined ? group : `${group}/${more}`),
    advance: backend.advance?.bind(backend) ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
  };
}

/** Returns the reason of the StateError a call rejects with, or else its result or other error. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return { resolved: await call };
  } catch (error) {
    return error instanceof StateError ? error.reason : error;
  }
}

/** Resolves when a condition is true. Rejects after ten seconds. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ten seconds.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
