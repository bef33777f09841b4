import type { Revision } from '@tenon/mcp-protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { createSubject } from '../../fixtures/hostile-server/subject.js';
import { counted } from './counted.js';
import { everyRevision, handshakes, oneOfEachKind, textOf } from './speech.js';
import { StreamedPeer } from './streamed.js';

let cases = 0;
const open: StreamedPeer[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((peer) => peer.close()));
});

/** A peer, and another peer of the same server. */
async function two(revision: Revision): Promise<readonly [StreamedPeer, StreamedPeer]> {
  const server = createSubject();
  const peers = await Promise.all([
    StreamedPeer.connect(server, revision),
    StreamedPeer.connect(server, revision),
  ]);
  open.push(...peers);
  for (const peer of peers) await peer.open();
  return peers;
}

/** Starts a call that waits until it is released. */
async function hold(peer: StreamedPeer, id: unknown, progressToken: unknown = `of ${id}`): Promise<void> {
  peer.write(peer.speech.request(id, 'tools/call', { name: 'hold', _meta: { progressToken } }));
  await peer.next((frame) => frame.params?.progressToken === progressToken);
  peer.frames.length = 0;
}

function each(
  name: string,
  revisions: readonly Revision[],
  body: (revision: Revision) => Promise<void>,
): void {
  cases += revisions.length;
  it.each(revisions.map((one) => [one.id, one] as const))(`${name} (%s)`, (_id, revision) => body(revision));
}

describe('an id in use', () => {
  for (const id of ['same', 7, '', '__proto__']) {
    each(
      `is refused, and what it belongs to goes on: ${JSON.stringify(id)}`,
      everyRevision,
      async (revision) => {
        const [peer] = await two(revision);
        await hold(peer, id);
        peer.write(peer.speech.call(id, 'echo', { text: 'stolen' }));
        expect(await peer.answer(id)).toMatchObject({
          error: { code: -32600, message: /still being handled/ },
        });
        peer.frames.length = 0;
        expect(await peer.call('let-go')).toBe('1');
        expect(textOf(await peer.answer(id))).toBe('let go');
        peer.frames.length = 0;
        // Now the id is free again.
        peer.write(peer.speech.call(id, 'echo', { text: 'new' }));
        expect(textOf(await peer.answer(id))).toBe('new');
      },
    );
  }

  each('is another one than the same digits as a text', everyRevision, async (revision) => {
    const [peer] = await two(revision);
    await hold(peer, 3);
    peer.write(peer.speech.call('3', 'echo', { text: 'text' }));
    expect(textOf(await peer.answer('3'))).toBe('text');
    await peer.call('let-go');
    expect(textOf(await peer.answer(3))).toBe('let go');
  });

  each('may be in use by another peer', everyRevision, async (revision) => {
    const [peer, neighbour] = await two(revision);
    await hold(peer, 1);
    neighbour.write(neighbour.speech.call(1, 'echo', { text: 'mine' }));
    expect(textOf(await neighbour.answer(1))).toBe('mine');
    expect(peer.frames).toEqual([]);
    await peer.call('let-go');
  });
});

describe('a cancellation', () => {
  const cancel = (requestId: unknown) => ({ requestId, reason: 'none of your business' });

  each("of another peer's call does nothing", everyRevision, async (revision) => {
    const [peer, neighbour] = await two(revision);
    await hold(neighbour, 1);
    peer.write(peer.speech.notice('notifications/cancelled', cancel(1)));
    await peer.isServed();
    expect(await neighbour.call('let-go')).toBe('1');
    expect(textOf(await neighbour.answer(1))).toBe('let go');
  });

  each('of the same digits as a text does nothing', everyRevision, async (revision) => {
    const [peer] = await two(revision);
    await hold(peer, 1);
    peer.write(peer.speech.notice('notifications/cancelled', cancel('1')));
    await peer.isServed();
    await peer.call('let-go');
    expect(textOf(await peer.answer(1))).toBe('let go');
  });

  each('of a call that is answered does nothing to the next of that id', everyRevision, async (revision) => {
    const [peer] = await two(revision);
    peer.write(peer.speech.call(1, 'nothing'));
    await peer.answer(1);
    peer.write(peer.speech.notice('notifications/cancelled', cancel(1)));
    await hold(peer, 1);
    await peer.call('let-go');
    expect(textOf(await peer.answer(1))).toBe('let go');
  });

  each('a thousand times over stops one call, which is not answered', everyRevision, async (revision) => {
    const [peer] = await two(revision);
    await hold(peer, 1);
    await hold(peer, 2);
    for (let n = 0; n < 1_000; n++) peer.write(peer.speech.notice('notifications/cancelled', cancel(1)));
    await peer.isServed();
    await peer.call('let-go');
    expect(textOf(await peer.answer(2))).toBe('let go');
    expect(peer.frames.map(({ id }) => id)).toEqual([2]);
  });
});

describe('progress', () => {
  each('goes to the peer of the call, even if others use the same token', everyRevision, async (revision) => {
    const [peer, neighbour] = await two(revision);
    await hold(neighbour, 1, 'token');
    peer.write(
      peer.speech.request(1, 'tools/call', { name: 'nothing', _meta: { progressToken: 'token' } }),
      peer.speech.notice('notifications/progress', { progressToken: 'token', progress: 99 }),
    );
    await peer.answer(1);
    await peer.isServed();
    await neighbour.isServed();
    expect(neighbour.frames).toEqual([]);
    await neighbour.call('let-go');
  });

  each('of two calls under one token breaks neither', everyRevision, async (revision) => {
    const [peer] = await two(revision);
    await hold(peer, 1, 'token');
    await hold(peer, 2, 'token');
    expect(await peer.call('let-go')).toBe('2');
    expect(textOf(await peer.answer(1))).toBe('let go');
    expect(textOf(await peer.answer(2))).toBe('let go');
  });
});

describe('before the handshake', () => {
  const early = [
    'tools/list',
    'tools/call',
    'resources/read',
    'logging/setLevel',
    'completion/complete',
    'no/such',
  ];
  for (const method of early) {
    each(
      `${method} is refused, and the handshake goes on as if nothing were`,
      handshakes,
      async (revision) => {
        const peer = await StreamedPeer.connect(createSubject({ revisions: [revision.id] }), revision);
        open.push(peer);
        peer.write(peer.speech.request(1, method, { name: 'nothing' }));
        expect(await peer.answer(1)).toMatchObject({ error: { code: -32600, message: /initialize/ } });
        peer.frames.length = 0;
        await peer.open();
        await peer.isServed();
      },
    );
  }

  const odd: readonly (readonly [string, string, readonly number[]])[] = [
    ['ping is answered', '{"jsonrpc":"2.0","id":1,"method":"ping"}', []],
    ['initialized is heard of nobody', '{"jsonrpc":"2.0","method":"notifications/initialized"}', []],
    ['a cancellation', '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}', []],
    ['an answer', '{"jsonrpc":"2.0","id":1,"result":{}}', []],
    ['garbage', 'hello?', [-32700]],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', [-32600]],
    ['initialize without params', '{"jsonrpc":"2.0","id":1,"method":"initialize"}', [-32602]],
    [
      'initialize whose version is a number',
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}',
      [-32602],
    ],
    [
      'initialize without a client',
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}',
      [-32602],
    ],
    [
      'initialize with a client that is a text',
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":"x"}}',
      [-32602],
    ],
    [
      'initialize with a very long introduction',
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'x'.repeat(1_000_000), version: '1' },
        },
      }),
      [-32602],
    ],
  ];
  for (const [name, text, codes] of odd) {
    each(name, handshakes, async (revision) => {
      const peer = await StreamedPeer.connect(createSubject(), revision);
      open.push(peer);
      peer.write(text);
      peer.write(peer.speech.initialize('hello'));
      await peer.answer('hello');
      expect(peer.frames.flatMap(({ error }) => error?.code ?? [])).toEqual(codes);
      peer.write(peer.speech.notice('notifications/initialized'));
      await peer.isServed();
    });
  }

  each('a version nobody has heard of is answered with one that is spoken', handshakes, async (revision) => {
    for (const version of ['1999-01-01', '', '__proto__', '9999-99-99', 'v'.repeat(10_000)]) {
      const peer = await StreamedPeer.connect(createSubject({ revisions: [revision.id] }), revision);
      open.push(peer);
      peer.write(peer.speech.initialize(1).replace(revision.id, version));
      expect(await peer.answer(1)).toMatchObject({ result: { protocolVersion: revision.id } });
    }
  });
});

describe('a second initialize', () => {
  each('is refused while the first is answered, and later', handshakes, async (revision) => {
    const peer = await StreamedPeer.connect(createSubject(), revision);
    open.push(peer);
    peer.write(`${peer.speech.initialize(1)}\n${peer.speech.initialize(2)}`);
    expect(await peer.answer(2)).toMatchObject({ error: { code: -32600, message: /initialized already/ } });
    expect(await peer.answer(1)).toMatchObject({ result: { protocolVersion: revision.id } });
    await peer.isServed();
  });

  each('of another revision changes nothing', handshakes, async (revision) => {
    const [peer] = await two(revision);
    const [other] = handshakes.filter((one) => one !== revision) as [Revision];
    peer.frames.length = 0;
    peer.write(peer.speech.initialize(1).replace(revision.id, other.id));
    expect(await peer.answer(1)).toMatchObject({ error: { code: -32600 } });
    peer.frames.length = 0;
    // Batches distinguish the revisions.
    peer.write(`[${peer.speech.call(2, 'nothing')}]`);
    const [frame] = await peer.count(1);
    expect(Array.isArray(frame)).toBe(revision.rules.batching);
  });
});

describe('requests with another revision than their session', () => {
  each('are answered in theirs, and the session goes on', oneOfEachKind.slice(0, 1), async (revision) => {
    const [peer] = await two(revision);
    const meta = (version: unknown) => ({
      _meta: {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    });
    for (const version of ['1999-01-01', '', '__proto__', 'v'.repeat(5_000)]) {
      peer.write(peer.speech.request(1, 'tools/list', meta(version)));
      const frame = await peer.answer(1);
      expect(frame).toMatchObject({ error: { code: -32022 } });
      expect(JSON.stringify(frame).length).toBeLessThan(1_000);
      peer.frames.length = 0;
    }
    for (const version of [5, null, {}, []]) {
      peer.write(peer.speech.request(1, 'tools/list', meta(version)));
      expect(await peer.answer(1)).toMatchObject({ error: { code: -32602 } });
      peer.frames.length = 0;
    }
    await peer.isServed();
  });
});

counted('ids in use, cancellations, progress and handshakes of others', () => cases);
