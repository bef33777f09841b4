import { afterAll, beforeAll, expect, vi } from 'vitest';

// Test files share workers. This setup file removes a file's stubs, and fails a file that leaves other changes.

// Not `unhandledRejection`: the server listens for it once in a process, on first use.
const events = ['uncaughtException', 'warning', 'exit', 'beforeExit', 'SIGINT', 'SIGTERM', 'SIGHUP'];
const replaceable = ['fetch', 'process', 'console', 'Date', 'setTimeout', 'setInterval', 'queueMicrotask'];

/** @type {Map<string, unknown>} */
let before = new Map();

beforeAll(() => {
  before = state();
});

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  const after = state();
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const changed = names.filter((name) => !Object.is(before.get(name), after.get(name)));
  expect(changed, 'what this file changed and did not restore').toEqual([]);
});

/** The state that the next file in this worker finds, by name. */
function state() {
  /** @type {Map<string, unknown>} */
  const found = new Map([['the working directory', process.cwd()]]);
  for (const [name, value] of Object.entries(process.env))
    found.set(`the environment variable ${name}`, value);
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    // Libraries store objects that they create once under these names.
    if (!name.startsWith('__')) found.set(`the global ${name}`, true);
  }
  for (const name of replaceable) found.set(`the global ${name}`, Reflect.get(globalThis, name));
  for (const event of events) found.set(`listeners of process for ${event}`, process.listenerCount(event));
  return found;
}
