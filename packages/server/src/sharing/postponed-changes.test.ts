import { latestHandshake } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import { HttpPeer } from '../../test/http-peer.js';
import { TestProcesses } from '../../test/processes.js';
import { CountingState } from '../../test/round-trips.js';
import type { WireMessage } from '../../test/wire-peer.js';
import type { Change } from '../core/audience.js';
import { type FetchHandler, toFetchHandler } from '../fetch.js';
import type { Server } from '../server.js';
import { PostponedChanges } from './postponed-changes.js';

const tools = 'notifications/tools/list_changed';
const resources = 'notifications/resources/list_changed';

/** Processes A and B with the same server, and a session that A has opened with a subscription. */
async function two() {
  const processes = new TestProcesses();
  const states: CountingState[] = [];
  const servers: Server[] = [];
  const handlers: FetchHandler[] = [];
  for (const _ of ['A', 'B']) {
    const state = new CountingState(processes.memory.open());
    const server = await processes.server({ state, rates: false });
    for (const uri of ['a://a', 'a://b']) server.resource(uri, {}, () => 'x');
    server.tool('one', {}, () => 'x');
    states.push(state);
    servers.push(server);
    handlers.push(toFetchHandler(server));
  }
  let at = 0;
  const peer = await HttpPeer.open('http://localhost/mcp', {
    revision: latestHandshake,
    fetch: (input, init) =>
      handlers[at]?.serve(new Request(input, init), {}) ?? Promise.reject(new Error('No process.')),
  });
  await peer.request('resources/subscribe', { uri: 'a://a' });
  await settled();
  return {
    processes,
    peer,
    a: servers[0] as Server,
    b: servers[1] as Server,
    send(to: 'A' | 'B') {
      at = to === 'A' ? 0 : 1;
    },
    /** The appends of both processes. */
    appends: () => states.flatMap(({ calls }) => calls.filter((name) => name === 'log.append')),
  };
}

/** A GET that a test reads and breaks. */
class OpenGet {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #text = '';

  constructor(response: Response) {
    this.#reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    void this.#read();
  }

  /** The methods of the notifications so far; an update is its URI. */
  async told(): Promise<unknown[]> {
    await settled();
    const messages = this.#text.split('\n').filter((line) => /^data: ./.test(line));
    return messages.map((line) => {
      const { method, params } = JSON.parse(line.slice(6)) as WireMessage;
      return params?.uri ?? method;
    });
  }

  get lastId(): string {
    return /id: (\S+)\n(?![\s\S]*id: )/.exec(this.#text)?.[1] ?? '';
  }

  async break(): Promise<void> {
    await this.#reader.cancel();
    await settled();
  }

  async #read(): Promise<void> {
    for (;;) {
      const { value, done } = await this.#reader.read();
      if (done) return;
      this.#text += Buffer.from(value).toString();
    }
  }
}

const get = async ({ peer }: { readonly peer: HttpPeer }, lastEventId?: string) => {
  const stream = new OpenGet(
    await peer.get(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  );
  await settled();
  return stream;
};

/** Changes the lists and both resources, each more than once. */
async function changeAll({ a, b }: { readonly a: Server; readonly b: Server }) {
  for (const server of [a, b, a]) {
    server.resourceUpdated('a://a');
    server.resourceUpdated('a://b');
    server.resourceListChanged();
    await settled();
  }
}

describe('a change that concerns a session without a stream', () => {
  it('costs the state nothing for each session', async () => {
    const parts = await two();
    await changeAll(parts);
    expect(parts.appends()).toEqual([]);
  });

  it('is received once, when the client opens the stream at the process that opened the session', async () => {
    const parts = await two();
    await changeAll(parts);
    const first = await get(parts);
    expect(await first.told()).toEqual(['a://a', resources]);
    await first.break();
    expect(await (await get(parts)).told()).toEqual([]);
  });

  it.each(['A', 'B'] as const)(
    'is received once, when the client resumes its stream at %s',
    async (where) => {
      const parts = await two();
      const first = await get(parts);
      await changeAll(parts);
      expect(new Set(await first.told())).toEqual(new Set(['a://a', resources]));
      await first.break();
      const before = parts.appends().length;
      await changeAll(parts);
      parts.a.tool('two', {}, () => 'x');
      await settled();
      expect(parts.appends()).toHaveLength(before);
      parts.send(where);
      const second = await get(parts, first.lastId);
      expect((await second.told()).sort()).toEqual(['a://a', resources, tools]);
    },
  );

  it('is received after an interruption of the state in which others may have been lost', async () => {
    const parts = await two();
    parts.processes.memory.interrupt();
    parts.processes.memory.restore();
    await settled();
    expect(parts.appends()).toEqual([]);
    expect((await (await get(parts)).told()).sort()).toEqual(['a://a', resources, tools]);
  });

  it('is received with everything else when more changed than the process keeps', async () => {
    const parts = await two();
    const uris = Array.from({ length: 1_024 }, (_, index) => `a://${index}`);
    parts.a.resourceUpdated('a://a');
    await settled();
    for (const uri of uris) {
      await parts.peer.request('resources/subscribe', { uri });
      parts.a.resourceUpdated(uri);
      await settled();
      await parts.peer.request('resources/unsubscribe', { uri });
    }
    expect((await (await get(parts)).told()).sort()).toEqual(['a://a', resources, tools]);
  });
});

describe('the kept changes', () => {
  const update = (uri: string): Change => ({ method: 'notifications/resources/updated', uri });

  it('have one number for all sessions that cannot receive a change', () => {
    const changes = new PostponedChanges();
    const [a, again] = [update('a://a'), update('a://a')];
    expect([a, a, again].map((change) => changes.add(change))).toEqual([1, 1, 2]);
    expect(changes.from(1)).toEqual([again]);
    expect(changes.from(3)).toEqual([]);
  });

  it('are at most 1,024; a session that missed an older one may have missed anything', () => {
    const changes = new PostponedChanges();
    for (let number = 1; number <= 1_025; number++) changes.add(update(`a://${number}`));
    expect(changes.from(0)).toBeUndefined();
    expect(changes.from(1)).toBeUndefined();
    expect(changes.from(2)).toHaveLength(1_024);
  });
});
