import { type ClientCapabilities, type Principal, type Revision, revisions } from '@tenon/mcp-protocol';
import { createServer, type Server } from '@tenon/mcp-server';
import { SharedMemory } from '@tenon/mcp-state/internal';
import { FakeClock } from '@tenon/mcp-testing';
import { expect, onTestFinished } from 'vitest';
import { extensionId } from '../src/model/task.js';
import type { TasksOptions, TaskToolOptions } from '../src/server/task-settings.js';
import { tasks } from '../src/server/tasks.js';
import { type Json, MemoryPeer, overHttp, type Peer } from './peers.js';

function findRevision(wanted: (revision: Revision) => boolean): Revision {
  const found = revisions.find(wanted);
  if (found === undefined) throw new Error('There is no such revision.');
  return found;
}

/** The revision with tasks in its core. */
export const core: Revision = findRevision(({ rules }) => rules.tasks);
/** The revision in which tasks are an extension. */
export const extension: Revision = findRevision(({ lifecycle }) => lifecycle === 'stateless');
/** Revisions without tasks. */
export const without: readonly Revision[] = revisions.filter((one) => one !== core && one !== extension);

/** The capabilities of clients with forms, and with the extension. */
export const forms: ClientCapabilities = { elicitation: { form: {} } };
export const declared: ClientCapabilities = { ...forms, extensions: { [extensionId]: {} } };

/** A server with the tasks of this package. */
export type TaskServer = Server<never, TaskToolOptions>;

/** The transports of the tests that hold on each. */
export const transports = ['memory', 'HTTP'] as const;

/** The options of a connection of a test. */
export interface ConnectOptions {
  readonly transport?: (typeof transports)[number];
  readonly capabilities?: ClientCapabilities;
  readonly principal?: Principal;
}

/** Connects a peer, by default in memory and with all capabilities. */
export function connectPeer(
  server: TaskServer,
  revision: Revision,
  {
    transport = 'memory',
    capabilities = revision === extension ? declared : forms,
    principal,
  }: ConnectOptions = {},
): Promise<Peer> {
  const options = { capabilities, ...(principal && { principal }) };
  return transport === 'HTTP'
    ? overHttp(server as never, revision, options)
    : new MemoryPeer(server as never, revision, options).begin();
}

/** The settings of one server of {@link TaskServers}. */
export interface ServerSettings {
  readonly clock?: FakeClock;
  /** True for a server without the option `state`. */
  readonly isAlone?: boolean;
}

/** Servers with the same state, as in several processes, and the clock of all. */
export class TaskServers {
  readonly clock: FakeClock = new FakeClock();
  readonly memory: SharedMemory;
  readonly errors: unknown[] = [];

  /** @param bytes - the space for values in the state. Default: more than a test needs. */
  constructor({ bytes }: { readonly bytes?: number } = {}) {
    this.memory = new SharedMemory({ clock: this.clock, ...(bytes !== undefined && { bytes }) });
  }

  /**
   * Returns one more server.
   * @param settings - with a clock of its own that does not move, the server is a process that has been killed or stopped.
   */
  open(given: TasksOptions = {}, { clock = this.clock, isAlone = false }: ServerSettings = {}) {
    const state = this.memory.open();
    const now = () => 1_700_000_000_000 + this.clock.now();
    const server: TaskServer = createServer(
      { name: 'test', version: '1' },
      {
        ...(!isAlone && { state }),
        onError: (error) => this.errors.push(error),
        clock,
        extensions: [tasks({ now, ...given })],
      },
    ) as never;
    onTestFinished(async () => {
      const closed = server.close();
      await clock.advance(120_000);
      await closed;
    });
    return { server, state, clock };
  }
}

/** A promise that a test settles: the end of the work of a handler. */
export class Gate {
  readonly passed: Promise<void>;
  open: () => void = () => {};

  constructor() {
    this.passed = new Promise((resolve) => {
      this.open = resolve;
    });
  }
}

/** A form with one field. */
export const nameForm = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
} as const;

/** Calls a tool in a way that makes a task, and returns the task on the wire. */
export async function begin(peer: Peer, name: string, task: object = {}): Promise<Json> {
  const params = { name, arguments: {}, ...(peer.revision === core && { task }) };
  const { result, error } = await peer.request('tools/call', params);
  expect(error).toBeUndefined();
  return (peer.revision === core ? result?.task : result) as Json;
}

/** Resolves after one turn of the event loop: a handler that requests input loads code first. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Requests the task until it has a status, or fulfils a condition. */
export async function until(
  peer: Peer,
  { taskId }: Json,
  wanted: string | ((task: Json) => boolean),
): Promise<Json> {
  const fits = typeof wanted === 'function' ? wanted : (task: Json) => (task.status as unknown) === wanted;
  let last: unknown;
  for (let time = 0; time < 20_000; time++) {
    const answer = await peer.request('tasks/get', { taskId });
    if (answer.result !== undefined && fits(answer.result)) return answer.result;
    last = answer.error ?? answer.result;
    await turn();
  }
  throw new Error(`The task is not ${wanted}: ${JSON.stringify(last)}`);
}

/** The events of a test, in order. */
export class Events<T> {
  readonly all: T[] = [];
  readonly #waiting = new Set<() => void>();

  push(event: T): void {
    this.all.push(event);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  /** Resolves when there are so many events. */
  async reached(count: number): Promise<readonly T[]> {
    while (this.all.length < count) await new Promise<void>((resolve) => this.#waiting.add(resolve));
    return this.all;
  }
}
