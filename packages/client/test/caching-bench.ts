import type { RequestMethod, Revision, UnknownObject } from '@tenon/mcp-protocol';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { FakeClock, settled } from '../../testing/src/fake-clock.js';
import type { Client } from '../src/client.js';
import { connect } from '../src/connect.js';
import { memoryTarget } from '../src/memory.js';
import type { ClientOptions } from '../src/options.js';
import { type Reply, type Script, ScriptedServer } from './scripted-server.js';
import { discoverResult, serverScript } from './scripts.js';

/** The address of the server in these tests. */
export const address = 'https://server.example/mcp';
/** A tool as it is listed. */
export const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
/** Hints: fresh for a second, private. */
export const hints = { ttlMs: 1_000, cacheScope: 'private' };

/** Each method the specification names, with params and a result without hints. */
export const cacheable: readonly [RequestMethod, UnknownObject, UnknownObject][] = [
  ['server/discover', {}, discoverResult(['2026-07-28'])],
  ['tools/list', {}, { tools: [tool('a')] }],
  ['prompts/list', {}, { prompts: [{ name: 'a' }] }],
  ['resources/list', {}, { resources: [{ name: 'a', uri: 'a:b' }] }],
  ['resources/templates/list', {}, { resourceTemplates: [{ name: 'a', uriTemplate: 'a:{b}' }] }],
  ['resources/read', { uri: 'a:b' }, { contents: [{ uri: 'a:b', text: 'x' }] }],
];

/** The options of a client, and the address of its server. */
interface Setup extends Partial<ClientOptions> {
  readonly address?: string;
}

/** A server, its clients, and their fake clock. */
export class CachingBench {
  readonly clock = new FakeClock();
  readonly server: ScriptedServer;

  constructor(script: Script, revision: Revision = revision20260728) {
    this.server = new ScriptedServer(serverScript(revision, script));
  }

  connect({ address: given = address, ...options }: Setup = {}): Promise<Client> {
    const target = { ...memoryTarget(this.server), restartable: true, address: given };
    const info = { name: 'client', version: '1' };
    return connect(target, { info, clock: this.clock, random: () => 0, ...options });
  }

  /** Returns the number of requests for a method, from all clients. */
  count(method: string): number {
    return this.server.peers.flatMap((peer) => peer.paramsOf(method)).length;
  }

  async notify(method: string, params: UnknownObject = {}): Promise<void> {
    this.server.peer.notify(method, params);
    await settled();
  }
}

/** Returns a server with lists and resources that are fresh for a second by default. */
export function bench(more: UnknownObject = {}, script: Script = {}, revision?: Revision): CachingBench {
  const replies = cacheable
    .filter(([method]) => method !== 'server/discover')
    .map(([method, , result]): [string, Reply] => [method, () => ({ ...result, ...hints, ...more })]);
  return new CachingBench({ ...Object.fromEntries(replies), ...script }, revision);
}
