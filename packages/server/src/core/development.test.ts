import { serverPort } from '@tenon/mcp-protocol';
import type { JoinSettings, State } from '@tenon/mcp-state';
import { SharedMemory } from '@tenon/mcp-state/internal';
import { expect, onTestFinished, test } from 'vitest';
import { serveHttp } from '../http.js';
import { createServer } from '../index.js';
import { serveStdio } from '../stdio.js';
import { type Development, development } from './development.js';

const key = Symbol.for('dev.tenon/development@1');
const info = { name: 'developed', version: '1.0.0' };

/** Installs a program that records its calls, for the time of a test. */
function installed(parts: Partial<Development> = {}): string[] {
  const calls: string[] = [];
  const hook: Development = {
    state: undefined,
    created: () => void calls.push('created'),
    failed: (error, where) => void calls.push(`failed ${where}: ${String(error).split('\n')[0]}`),
    listening: (options) => ({ ...options, port: 0 }),
    listens: (_, { url }) => {
      calls.push(new URL(url).pathname);
      return 'http://127.0.0.1:3000/mcp';
    },
    standardStreams: () => ({ closed: Promise.resolve(), close: async () => void calls.push('closed') }),
    ...parts,
  };
  Object.defineProperty(globalThis, key, { value: hook, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, key));
  return calls;
}

test('a server belongs to no program by default, whatever the environment says', () => {
  expect(development()).toBeUndefined();
});

test('the program receives the server, its URL, and the errors of its handlers', async () => {
  const calls = installed();
  const server = createServer(info).tool('fail', {}, (): string => {
    throw new Error('bad luck');
  });
  const serving = await serveHttp(server, { port: 1, path: '/api' });
  expect(serving.url).toBe('http://127.0.0.1:3000/mcp');
  await serving.close();
  server[serverPort].onError(new Error('lost'), 'somewhere');
  expect(calls).toEqual(['created', '/api', 'failed somewhere: Error: lost']);
});

test('the standard streams stay with the program', async () => {
  const calls = installed();
  const serving = await serveStdio(createServer(info));
  await serving.close();
  expect(calls).toEqual(['created', 'closed']);
});

test('the state of the author stands before that of the program', () => {
  const joined: string[] = [];
  const stateOf = (name: string): State => {
    const state = new SharedMemory().open();
    const join = state.join.bind(state);
    return Object.assign(state, {
      join(settings: JoinSettings) {
        joined.push(name);
        return join(settings);
      },
    });
  };
  installed({ state: stateOf('program') });
  createServer(info, { state: stateOf('author') });
  createServer(info);
  expect(joined).toEqual(['author', 'program']);
});
