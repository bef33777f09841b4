import type { ClientOptions } from '@tenon/mcp-client';
import { connect } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { FakeClock } from '../../testing/src/fake-clock.js';
import { type TaskClientOptions, tasks } from '../src/client.js';
import { extensionId } from '../src/model/task.js';
import { type Reply, type Script, ScriptedServer } from './scripted-peer.js';

export { settled } from '../../testing/src/fake-clock.js';
export { type Reply, type ScriptedPeer, WireRefusal } from './scripted-peer.js';

const inputSchema = { type: 'object' };
const listed = [
  { name: 'always', inputSchema, execution: { taskSupport: 'required' } },
  { name: 'either', inputSchema, execution: { taskSupport: 'optional' } },
  { name: 'never', inputSchema },
];

/** The wire of tasks in one revision. */
export interface Wire {
  readonly revision: typeof revision20251125;
  readonly wire: 'core' | 'extension';
  readonly capabilities: UnknownObject;
}

export const core: Wire = {
  revision: revision20251125,
  wire: 'core',
  capabilities: {
    tools: { listChanged: true },
    tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
  },
};
export const extension: Wire = {
  revision: revision20260728,
  wire: 'extension',
  capabilities: { tools: {}, extensions: { [extensionId]: {} } },
};

/** One task of a scripted server, which a test changes. */
export class ScriptedTask {
  readonly taskId: string;
  readonly #wire: Wire['wire'];
  #state: UnknownObject = { status: 'working' };
  #updates = 0;
  ttl: number | null = 60_000;
  poll: number | undefined = 300;

  constructor(taskId: string, { wire }: Wire) {
    this.taskId = taskId;
    this.#wire = wire;
  }

  /** Changes the status and its data. */
  become(state: UnknownObject): void {
    this.#state = state;
    this.#updates++;
  }

  get status(): unknown {
    return this.#state.status;
  }

  /** The task without the data of its status. */
  get flat(): UnknownObject {
    const { status, statusMessage } = this.#state;
    const [ttl, poll] = this.#wire === 'core' ? ['ttl', 'pollInterval'] : ['ttlMs', 'pollIntervalMs'];
    return {
      taskId: this.taskId,
      status,
      ...(statusMessage !== undefined && { statusMessage }),
      createdAt: '2026-01-01T00:00:00Z',
      lastUpdatedAt: new Date(Date.UTC(2026, 0, 1) + this.#updates * 1_000).toISOString(),
      [ttl as string]: this.ttl,
      ...(this.poll !== undefined && { [poll as string]: this.poll }),
    };
  }

  /** The answer to `tasks/get`. */
  get detailed(): UnknownObject {
    return this.#wire === 'core' ? this.flat : { ...this.flat, ...this.#state };
  }

  /** The answer to the call. */
  get created(): UnknownObject {
    return this.#wire === 'core' ? { task: this.flat } : { resultType: 'task', ...this.flat };
  }
}

export interface Setting extends Partial<Omit<ClientOptions, 'extensions'>> {
  readonly tasks?: TaskClientOptions;
  readonly script?: Script;
  readonly capabilities_?: UnknownObject;
}

/** A client, a scripted server and a task. */
export async function start(wire: Wire, setting: Setting = {}) {
  const { tasks: options, script, capabilities_ = wire.capabilities, ...more } = setting;
  const task = new ScriptedTask('t-1', wire);
  const done = wire.wire === 'core' ? {} : { resultType: 'complete' };
  const replies: Script = {
    'tools/list': () => ({ tools: listed, ttlMs: 0, cacheScope: 'private', ...done }),
    'tools/call': () => task.created,
    'tasks/get': () => ({ ...done, ...task.detailed }),
    'tasks/cancel': () => {
      task.become({ status: 'cancelled' });
      return wire.wire === 'core' ? task.flat : done;
    },
    'tasks/update': () => done,
    ...script,
  };
  const server = new ScriptedServer({ ...opening(wire, capabilities_), ...replies });
  const clock = new FakeClock();
  const errors: unknown[] = [];
  const client = await connect(
    { open: () => memoryTarget(server).open(), restartable: true },
    {
      info: { name: 'client', version: '1' },
      clock,
      random: () => 0,
      onError: (error, where) => errors.push([where, (error as Error).message]),
      extensions: [tasks(options)],
      ...more,
    },
  );
  return { client, server, clock, task, errors };
}

/** The first answers of a server that supports one revision. */
function opening({ revision }: Wire, capabilities: UnknownObject): Script {
  const serverInfo = { name: 'scripted', version: '1' };
  const initialized = { protocolVersion: revision.id, capabilities, serverInfo };
  const described = {
    resultType: 'complete',
    supportedVersions: [revision.id],
    capabilities,
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
  };
  return revision.lifecycle === 'handshake'
    ? { initialize: () => initialized }
    : { 'server/discover': () => described };
}

export const text = (value: string): UnknownObject => ({ content: [{ type: 'text', text: value }] });

/** Replies with the next of a list, and then with the last. */
export function inTurn(...answers: readonly UnknownObject[]): Reply {
  let next = 0;
  return () => answers[Math.min(next++, answers.length - 1)] as UnknownObject;
}
