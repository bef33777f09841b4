import { afterEach, describe, expect, it } from 'vitest';
import { showsBy } from '../../suite/shows.js';
import type { ScriptedExchange } from './http/exchange.js';
import { nodeFace } from './http/face.js';
import { postHeaders } from './http/message.js';
import type { Part } from './http/part.js';
import { type Bench, openBench, type Way } from './isolation/bench.js';
import { benchServer } from './isolation/bench-server.js';
import { IsolatedClient } from './isolation/isolated-client.js';
import { HttpClient } from './transcripts/http-peer.js';
import { SseClient } from './transcripts/sse-peer.js';

type Event = Part & { readonly kind: 'event' };

const sessions = ['2025-03-26', '2025-06-18', '2025-11-25'];
const ways: readonly Way[] = ['http', 'fetch'];
const places = sessions.flatMap((revision) => ways.map((way) => ({ revision, way })));
const ping = '{"jsonrpc":"2.0","id":7,"method":"ping"}';
const benches: Bench[] = [];

afterEach(async () => {
  for (const { face } of benches.splice(0)) await face.close();
});

async function open(way: Way): Promise<Bench> {
  const bench = await openBench(way);
  benches.push(bench);
  return bench;
}

/** A client with its own session. */
async function join(bench: Bench, who: 'ann' | 'bob', revision: string) {
  const client = await bench.client(who);
  const party = new IsolatedClient(who, revision, client);
  await party.open();
  if (!(client instanceof HttpClient)) throw new TypeError('expected a session of Streamable HTTP');
  return { party, client };
}

async function statusOf(exchange: ScriptedExchange): Promise<number | undefined> {
  const head = await exchange.next();
  return head?.kind === 'head' ? head.status : undefined;
}

/** Returns the events of a stream, until it ends. */
async function eventsOf(exchange: ScriptedExchange): Promise<Event[]> {
  const events: Event[] = [];
  for (;;) {
    const part = await exchange.next();
    if (part === undefined || part.kind === 'end') return events;
    if (part.kind === 'event') events.push(part);
  }
}

/** The messages on the stream of a call that two clients make at the same time. */
function worked({ face }: Bench, { party, client }: Awaited<ReturnType<typeof join>>): Promise<Event[]> {
  const params = { name: 'work', arguments: { who: party.who }, _meta: { progressToken: 'token' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
  return eventsOf(
    face.request({ method: 'POST', path: '/mcp', headers: { ...postHeaders, ...client.session }, body }),
  );
}

describe.each(places)('a session of $revision over $way', ({ revision, way }) => {
  it.each(['bob', undefined])('is not found for %s, a stranger', async (stranger) => {
    const bench = await open(way);
    const { party, client } = await join(bench, 'ann', revision);
    const { authorization: _, ...session } = client.session;
    const headers = { ...session, ...(stranger !== undefined && { authorization: stranger }) };
    const asked = [
      { method: 'POST', headers: { ...postHeaders, ...headers }, body: ping },
      { method: 'GET', headers: { accept: 'text/event-stream', ...headers } },
      { method: 'GET', headers: { accept: 'text/event-stream', 'last-event-id': '1.0', ...headers } },
      { method: 'DELETE', headers },
    ];
    for (const one of asked) expect(await statusOf(bench.face.request({ path: '/mcp', ...one }))).toBe(404);
    await party.leaves();
  });

  it('does not replay another session with the same event ids', async () => {
    const bench = await open(way);
    const [ann, bob] = await Promise.all([join(bench, 'ann', revision), join(bench, 'bob', revision)]);
    const [hers, his] = await Promise.all([worked(bench, ann), worked(bench, bob)]);
    expect(his.map(({ id }) => id)).toEqual(hers.map(({ id }) => id));
    for (const { id = '' } of hers) {
      const headers = { accept: 'text/event-stream', 'last-event-id': id, ...bob.client.session };
      const resumed = await eventsOf(bench.face.request({ method: 'GET', path: '/mcp', headers }));
      const at = his.findIndex((event) => event.id === id);
      expect(resumed).toEqual(his.slice(at + 1));
    }
    expect(JSON.stringify(his)).not.toContain('ann');
  });

  it('rejects responses to requests of another session', async () => {
    const bench = await open(way);
    const [ann, bob] = await Promise.all([join(bench, 'ann', revision), join(bench, 'bob', revision)]);
    await Promise.all([ann.party.calls(2, 'folders'), bob.party.calls(2, 'folders')]);
    const asked = await ann.party.receives({ method: 'roots/list' });
    const mine = await bob.party.receives({ method: 'roots/list' });
    expect(mine.id).toBe(asked.id);
    await bob.party.answers(mine.id, { roots: [{ uri: 'file:///bob' }] });
    await bob.party.receives({ id: 2, result: { content: [{ text: 'bob has file:///bob' }] } });
    // Again, when the request of that session was answered.
    await bob.party.answers(asked.id, { roots: [{ uri: 'file:///bob' }] });
    await ann.party.answers(asked.id, { roots: [{ uri: 'file:///ann' }] });
    await ann.party.receives({ id: 2, result: { content: [{ text: 'ann has file:///ann' }] } });
    await Promise.all([ann.party.leaves(), bob.party.leaves()]);
  });
});

describe('a session of 2024-11-05 over HTTP+SSE', () => {
  it('accepts messages only from its owner', async () => {
    const bench = await open('sse');
    const client = await bench.client('ann');
    if (!(client instanceof SseClient)) throw new TypeError('expected a session of HTTP+SSE');
    const party = new IsolatedClient('ann', '2024-11-05', client);
    await party.open();
    for (const stranger of [{ authorization: 'bob' }, {}]) {
      const headers = { 'content-type': 'application/json', ...stranger };
      const asked = { method: 'POST', path: client.endpoint, headers, body: ping };
      expect(await statusOf(bench.face.request(asked))).toBe(404);
    }
    await party.leaves();
  });
});

describe.each(ways)('a round of input requests of 2026-07-28 over %s', (way) => {
  it('continues only for the user who started it', async () => {
    showsBy(way, {
      http: [
        '2026-07-28/basic/patterns/mrtr/state-principal',
        '2026-07-28/basic/patterns/mrtr/validate-state',
        '2026-07-28/client/elicitation/state-associated',
        '2026-07-28/client/elicitation/bound-to-user',
      ],
    });
    const bench = await open(way);
    const ann = new IsolatedClient('ann', '2026-07-28', await bench.client('ann'));
    const bob = new IsolatedClient('bob', '2026-07-28', await bench.client('bob'));
    await Promise.all([ann.calls(2, 'folders'), bob.calls(2, 'folders')]);
    const { result } = await ann.receives({ id: 2, result: { resultType: 'input_required' } });
    await bob.receives({ id: 2, result: { resultType: 'input_required' } });
    const { requestState } = result as { readonly requestState: string };
    const inputResponses = { folders: { roots: [{ uri: 'file:///home' }] } };
    await bob.calls(3, 'folders', { inputResponses, requestState, arguments: { who: 'ann' } });
    await bob.receives({ id: 3, error: { code: -32602 } });
    await ann.calls(3, 'folders', { inputResponses, requestState });
    await ann.receives({ id: 3, result: { content: [{ text: 'ann has file:///home' }] } });
  });
});

describe.each(sessions)('callers of %s without sessions', (revision) => {
  it('get their own responses, with the same id at the same time', async () => {
    const face = await nodeFace(benchServer(), { sessions: false });
    const answers = ['ann', 'bob'].map(async (who) => {
      const params = { name: 'work', arguments: { who }, _meta: { progressToken: 'token' } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
      const headers = { ...postHeaders, 'mcp-protocol-version': revision };
      const events = await eventsOf(face.request({ method: 'POST', path: '/mcp', headers, body }));
      return events.map(({ data }) => data).join('\n');
    });
    const [ann = '', bob = ''] = await Promise.all(answers);
    expect(ann).toContain('done for ann');
    expect(ann).not.toContain('bob');
    expect(bob).toContain('done for bob');
    expect(bob).not.toContain('ann');
    await face.close();
  });
});
