import { readFileSync } from 'node:fs';
import { latestHandshake, latestStateless } from '@tenon/mcp-protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { settled } from '../../../testing/src/fake-clock.js';
import { HttpPeer, messagesFrom } from '../../test/http-peer.js';
import { TestProcesses } from '../../test/processes.js';
import { CountingState } from '../../test/round-trips.js';
import type { WireMessage } from '../../test/wire-peer.js';
import { type FetchHandler, toFetchHandler } from '../fetch.js';
import type { ServerOptions } from '../index.js';
import type { Server } from '../server.js';

const page = readFileSync(new URL('../../../../docs/internals/scale.md', import.meta.url), 'utf8');
const capabilities = { elicitation: {} };

/** Two processes, A and B, and a peer with a session that A has opened. */
async function two(options: ServerOptions = { rates: false }, revision = latestHandshake) {
  const processes = new TestProcesses();
  const states: CountingState[] = [];
  const handlers: FetchHandler[] = [];
  const servers: Server[] = [];
  for (const _ of ['A', 'B']) {
    const state = new CountingState(processes.memory.open());
    const server = await processes.server({ ...options, state });
    server.tool('plain', {}, () => 'done');
    server.tool('steps', {}, async (_input, ctx) => {
      await ctx.progress(1);
      return 'done';
    });
    server.tool('trip', {}, async (_input, ctx) => {
      const schema = z.object({ city: z.string() });
      return (await ctx.elicit('to', { message: 'To?', schema })).action;
    });
    server.tool('again', { annotations: { idempotentHint: true } }, async (_input, ctx) => {
      await ctx.elicit('to', { message: 'To?', schema: z.object({ city: z.string() }) });
      return 'done';
    });
    server.resource('a://a', {}, () => 'x');
    states.push(state);
    servers.push(server);
    handlers.push(toFetchHandler(server));
    onTestFinished(() => state.release());
  }
  let at = 0;
  const route: typeof fetch = (input, init) =>
    handlers[at]?.serve(new Request(input, init), { remoteAddress: '192.0.2.1' }) ??
    Promise.reject(new Error('No process.'));
  const peer = await HttpPeer.open('http://localhost/mcp', { revision, capabilities, fetch: route });
  const here = async () => {
    await settled();
    for (const state of states) state.calls.length = 0;
  };
  await here();
  return {
    processes,
    peer,
    servers,
    route,
    /** Forgets the calls until now. */
    here,
    send(to: 'A' | 'B') {
      at = to === 'A' ? 0 : 1;
    },
    /** Leaves all calls without an answer. Resolves when the first one is made. */
    hold() {
      return Promise.race(states.map((state) => state.hold()));
    },
    release() {
      for (const state of states) state.release();
    },
    /** The calls of both processes since the last {@link here}. */
    calls: () => states.map(({ calls }) => [...calls]),
  };
}

type Two = Awaited<ReturnType<typeof two>>;

interface Case {
  readonly title: string;
  /** The server's options and the revision. Default: no rates, the latest revision with sessions. */
  readonly setting?: Parameters<typeof two>;
  /** Brings both processes into the state in which the request arrives. */
  readonly before?: (parts: Two) => unknown;
  /** Sends the request, and resolves with its answer. */
  readonly request: (parts: Two) => Promise<unknown>;
  /** Calls of A, then of B. */
  readonly calls: readonly [string[], string[]];
  /** True if the answer needs the answers of these calls. */
  readonly waits: boolean;
}

const call = (name: string) => (parts: Two) => parts.peer.request('tools/call', { name });
const streamed = (parts: Two) =>
  parts.peer.request('tools/call', { name: 'steps', _meta: { progressToken: 1 } });
const atB = async (parts: Two) => {
  parts.send('B');
  await parts.peer.request('ping');
};
const read = async (response: Response) => (await messagesFrom(response).next()).value as WireMessage;

/** The input request of a call at A, and the rest of the stream of the call. */
const trips = new WeakMap<Two, { readonly id: unknown; readonly stream: AsyncGenerator<WireMessage> }>();
async function trip(parts: Two, name = 'trip'): Promise<void> {
  const stream = messagesFrom(await parts.peer.send('tools/call', { name }));
  trips.set(parts, { id: ((await stream.next()).value as WireMessage).id, stream });
  await settled();
}
const accepted = (parts: Two) =>
  parts.peer.post({
    jsonrpc: '2.0',
    id: trips.get(parts)?.id,
    result: { action: 'accept', content: { city: 'Rome' } },
  });

const gets = new WeakMap<Two, AsyncGenerator<WireMessage>>();
/** Opens the GET stream at B, and sends the next requests to A. */
async function listen(parts: Two): Promise<void> {
  await atB(parts);
  gets.set(parts, messagesFrom(await parts.peer.get()));
  await settled();
  parts.send('A');
}

const places = new WeakMap<Two, string>();
/** Makes a call that streams, and forgets all but its first event. */
async function brokenStream(parts: Two): Promise<void> {
  const response = await parts.peer.send('tools/call', { name: 'steps', _meta: { progressToken: 1 } });
  places.set(parts, /id: (\S+\.2)\n/.exec(await response.text())?.[1] ?? '');
  await settled();
}
const resumed = async (parts: Two) =>
  (await parts.peer.get({ 'last-event-id': places.get(parts) ?? '' })).text();

const stateless: Parameters<typeof two> = [{ rates: false }, latestStateless];
const settings = ['kv.get', 'kv.compareAndSet', 'bus.publish'];

const cases: readonly Case[] = [
  {
    title: '`initialize`',
    request: (parts) => HttpPeer.open('http://localhost/mcp', { fetch: parts.route }),
    calls: [['kv.put'], []],
    waits: true,
  },
  { title: 'a call in a session that A knows', request: call('plain'), calls: [[], []], waits: false },
  {
    title: 'the same, a second (`touch`) after the last',
    before: ({ processes }) => processes.clock.advance(1_000),
    request: call('plain'),
    calls: [['kv.touch'], []],
    waits: false,
  },
  {
    title: 'the same, with `rates`',
    setting: [{}],
    before: async (parts) => {
      await call('plain')(parts);
      await parts.processes.clock.advance(1_000);
    },
    request: call('plain'),
    calls: [['kv.touch', 'kv.compareAndSet'], []],
    waits: true,
  },
  {
    title: 'the first request at B of a session that A opened',
    before: ({ send }) => send('B'),
    request: call('plain'),
    calls: [[], ['kv.get', 'kv.touch', 'kv.get']],
    waits: true,
  },
  { title: 'a later call at B', before: atB, request: call('plain'), calls: [[], []], waits: false },
  {
    title: '`logging/setLevel`',
    request: ({ peer }) => peer.request('logging/setLevel', { level: 'debug' }),
    calls: [settings, []],
    waits: true,
  },
  {
    title: '`resources/subscribe`',
    request: ({ peer }) => peer.request('resources/subscribe', { uri: 'a://a' }),
    calls: [settings, []],
    waits: true,
  },
  {
    title: 'a call that sends one progress notification',
    request: streamed,
    calls: [['log.append', 'log.append', 'log.append'], []],
    waits: true,
  },
  {
    title: 'a call until its input request arrives',
    request: (parts) => trip(parts),
    calls: [['log.append', 'kv.put', 'kv.compareAndSet', 'log.append'], []],
    waits: true,
  },
  {
    title: 'the answer to an input request at A, until the call ends',
    before: (parts) => trip(parts),
    request: async (parts) => {
      await accepted(parts);
      await trips.get(parts)?.stream.next();
    },
    calls: [['kv.delete', 'log.append'], []],
    waits: true,
  },
  {
    title: 'the same, if the tool may be repeated',
    before: (parts) => trip(parts, 'again'),
    request: async (parts) => {
      await accepted(parts);
      await trips.get(parts)?.stream.next();
    },
    calls: [['kv.compareAndSet', 'kv.delete', 'log.append'], []],
    waits: true,
  },
  {
    title: 'the answer to an input request of A at B, until the call ends',
    before: async (parts) => {
      await trip(parts);
      await atB(parts);
    },
    request: async (parts) => {
      await accepted(parts);
      await trips.get(parts)?.stream.next();
    },
    calls: [
      ['kv.delete', 'bus.publish', 'log.append'],
      ['kv.get', 'bus.publish'],
    ],
    waits: true,
  },
  {
    title: '`notifications/cancelled`',
    before: atB,
    request: ({ peer }) =>
      peer.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } }),
    calls: [[], ['bus.publish']],
    waits: true,
  },
  {
    title: 'a GET at B, after A sent the messages of the session',
    before: atB,
    request: async ({ peer }) => read(await peer.get()),
    calls: [
      [],
      [
        ...['kv.get', 'kv.compareAndSet', 'log.read', 'bus.publish'],
        ...['log.append', 'log.append', 'log.read', 'log.read'],
      ],
    ],
    waits: true,
  },
  {
    title: '`server.resourceUpdated` at A, until the message is on a GET at B',
    before: async (parts) => {
      await listen(parts);
      await parts.peer.request('resources/subscribe', { uri: 'a://a' });
    },
    request: async (parts) => {
      parts.servers[0]?.resourceUpdated('a://a');
      // A loop that ends by itself would end the stream.
      for (let method: unknown; method !== 'notifications/resources/updated'; )
        method = ((await gets.get(parts)?.next())?.value as WireMessage | undefined)?.method;
    },
    calls: [['bus.publish'], ['log.append', 'log.read', 'log.read']],
    waits: true,
  },
  {
    title: '`server.resourceUpdated` at A, for sessions without a GET',
    before: ({ peer }) => peer.request('resources/subscribe', { uri: 'a://a' }),
    request: async ({ servers }) => servers[0]?.resourceUpdated('a://a'),
    calls: [['bus.publish'], []],
    waits: false,
  },
  {
    title: 'a GET at A after that change, until the message is on it',
    before: async (parts) => {
      await parts.peer.request('resources/subscribe', { uri: 'a://a' });
      parts.servers[0]?.resourceUpdated('a://a');
      await settled();
    },
    request: async ({ peer }) => read(await peer.get()),
    calls: [
      ['kv.get', 'kv.compareAndSet', 'log.read', 'bus.publish', 'log.append', 'log.read', 'log.read'],
      [],
    ],
    waits: true,
  },
  {
    title: 'resumption at A of a stream of A that has ended',
    before: brokenStream,
    request: resumed,
    calls: [['log.read', 'log.read'], []],
    waits: true,
  },
  {
    title: 'the same at B',
    before: async (parts) => {
      await brokenStream(parts);
      await atB(parts);
    },
    request: resumed,
    calls: [['bus.publish'], ['kv.get', 'bus.publish', 'log.read', 'log.read']],
    waits: true,
  },
  {
    title: '`DELETE`',
    request: ({ peer }) => peer.delete(),
    calls: [['kv.delete', 'bus.publish', 'log.delete'], []],
    waits: true,
  },
  {
    title: 'a call of 2026-07-28',
    setting: stateless,
    request: call('plain'),
    calls: [[], []],
    waits: false,
  },
  {
    title: 'a call of 2026-07-28 that returns an input request, the first of a process',
    setting: stateless,
    request: call('trip'),
    calls: [['kv.get', 'kv.compareAndSet'], []],
    waits: true,
  },
  {
    title: 'a later one',
    setting: stateless,
    before: call('trip'),
    request: call('trip'),
    calls: [[], []],
    waits: false,
  },
];

describe('round trips to the state', () => {
  it.each(cases)('of $title', async ({ setting = [], before, request, calls }) => {
    const parts = await two(...setting);
    await before?.(parts);
    await parts.here();
    await request(parts);
    await settled();
    expect(parts.calls()).toEqual(calls);
  });

  it.each(cases)('delay the answer as the documentation says: $title', async ({ waits, ...one }) => {
    const parts = await two(...(one.setting ?? []));
    await one.before?.(parts);
    await parts.here();
    const held = parts.hold();
    let answered = false;
    const answer = one.request(parts).then(() => {
      answered = true;
    });
    await (waits ? held : answer);
    await settled();
    expect(answered).toBe(!waits);
    parts.release();
    await answer;
  });

  it.each(cases)('are in the documentation: $title', ({ title, calls, waits }) => {
    expect(page).toContain(`| ${title} | ${calls.map(cellOf).join(' | ')} | ${waits ? 'yes' : 'no'} |\n`);
  });
});

/** Returns calls as the table shows them: equal calls in a row are one, with their number. */
function cellOf(calls: readonly string[]): string {
  const counted: [string, number][] = [];
  for (const name of calls) {
    const last = counted.at(-1);
    if (last?.[0] === name) last[1]++;
    else counted.push([name, 1]);
  }
  const texts = counted.map(([name, count]) => (count === 1 ? `\`${name}\`` : `${count} \`${name}\``));
  return texts.length === 0 ? 'none' : texts.join(', ');
}
