import type { Revision } from '@tenon/mcp-protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { counted } from './counted.js';
import { type Exit, killChildren, SpawnedPeer } from './spawned.js';
import { oneOfEachKind, textOf } from './speech.js';

let cases = 0;
afterEach(killChildren);

/** Runs a test in one revision of each kind; the server must end within seconds. */
function each(name: string, body: (revision: Revision) => Promise<void>): void {
  cases += oneOfEachKind.length;
  it.each(oneOfEachKind.map((one) => [one.id, one] as const))(
    `${name} (%s)`,
    { timeout: 8_000 },
    (_id, revision) => body(revision),
  );
}

async function open(revision: Revision, server: object = {}): Promise<SpawnedPeer> {
  const stdio = { stopWithin: 600_000 };
  const peer = await new SpawnedPeer(revision, { server, stdio }).open();
  await peer.isServed();
  return peer;
}

/** Starts calls that wait until they are released, or, with the tool `deaf`, forever. */
async function hold(peer: SpawnedPeer, count = 1, name = 'hold'): Promise<void> {
  for (let id = 0; id < count; id++) {
    peer.write(peer.speech.request(id, 'tools/call', { name, _meta: { progressToken: id } }));
  }
  await peer.next((frame) => frame.params?.progressToken === count - 1);
  peer.frames.length = 0;
}

async function ends(peer: SpawnedPeer, exit: Exit = [0, null]): Promise<void> {
  expect(await peer.exited).toEqual(exit);
  expect(peer.complaints).toBe('');
}

describe('when the input ends', () => {
  each('before anything was said', async (revision) => {
    const peer = new SpawnedPeer(revision);
    peer.input.end();
    await ends(peer);
  });

  each('when nothing is going on', async (revision) => {
    const peer = await open(revision);
    peer.input.end();
    await ends(peer);
    expect(peer.frames).toEqual([]);
  });

  for (const [name, cut] of [
    ['after its first byte', 1],
    ['in its middle', 30],
    ['before its last byte', -1],
  ] as const) {
    each(`in a message, ${name}: it is refused, not run`, async (revision) => {
      const peer = await open(revision);
      peer.input.end(peer.speech.call(1, 'echo', { text: 'x' }).slice(0, cut));
      await ends(peer);
      await peer.end();
      expect(peer.frames).toMatchObject([{ error: { code: -32700, message: /ended inside the line/ } }]);
    });
  }

  each('in a character', async (revision) => {
    const peer = await open(revision);
    const bytes = Buffer.from(peer.speech.call(1, 'echo', { text: '🙂' }));
    peer.input.end(bytes.subarray(0, bytes.indexOf('🙂') + 2));
    await ends(peer);
    await peer.end();
    expect(peer.frames).toMatchObject([{ error: { code: -32700 } }]);
  });

  each('after a message without a line end, which is answered', async (revision) => {
    const peer = await open(revision);
    peer.input.end(peer.speech.call(1, 'echo', { text: 'last words' }));
    await ends(peer);
    await peer.end();
    expect(peer.frames.map(textOf)).toEqual(['last words']);
  });

  each('in a line that is too long', async (revision) => {
    const peer = await open(revision);
    await peer.pour(Buffer.alloc(20 << 20, 'x'));
    peer.input.end();
    await ends(peer);
  });

  each('during a call: the process ends all the same', async (revision) => {
    const peer = await open(revision);
    await hold(peer);
    peer.input.end();
    await ends(peer);
  });

  each('during a thousand calls', async (revision) => {
    const peer = await open(revision);
    await hold(peer, 1_000);
    peer.input.end();
    await ends(peer);
  });

  each('after a thousand calls, all of which are answered', async (revision) => {
    const peer = await open(revision);
    const lines = Array.from({ length: 1_000 }, (_, id) => peer.speech.call(id, 'nothing'));
    peer.input.end(`${lines.join('\n')}\n`);
    await ends(peer);
    await peer.end();
    expect(peer.frames).toHaveLength(1_000);
  });

  each('while a question waits for its answer', async (revision) => {
    const peer = await open(revision);
    peer.write(peer.speech.call(1, 'ask', { what: 'Who?' }));
    await peer.count(1);
    peer.input.end();
    await ends(peer);
  });

  each('while somebody listens', async (revision) => {
    const peer = await open(revision);
    const [method, params] =
      revision.lifecycle === 'stateless'
        ? ['subscriptions/listen', { notifications: { toolsListChanged: true } }]
        : ['resources/subscribe', { uri: 'memo://one' }];
    peer.write(peer.speech.request(1, method, params));
    await peer.count(1);
    peer.input.end();
    await ends(peer);
  });
});

describe('a signal', () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    each(`${signal} ends a server that has nothing to do`, async (revision) => {
      const peer = await open(revision);
      peer.child.kill(signal);
      await ends(peer, [null, signal]);
    });

    each(
      `${signal} ends the process once the calls have heard of it, and they are answered`,
      async (revision) => {
        const peer = await open(revision, { limits: { drain: 600_000 } });
        await hold(peer, 2);
        peer.child.kill(signal);
        for (const id of [0, 1]) expect(textOf(await peer.answer(id))).toBe('cancelled');
        await ends(peer, [null, signal]);
      },
    );

    each(`${signal} lets a call finish, and lets no other begin`, async (revision) => {
      const peer = await open(revision, { limits: { drain: 600_000 } });
      await hold(peer, 2, 'deaf');
      peer.child.kill(signal);
      // Requests sent after the signal arrived are rejected.
      for (let code: number | undefined; code !== -31002; ) {
        peer.write(peer.speech.call('probe', 'nothing'));
        const frame = await peer.answer('probe');
        code = frame.error?.code;
        peer.frames.length = 0;
      }
      for (const requestId of [0, 1])
        peer.write(peer.speech.notice('notifications/cancelled', { requestId }));
      await ends(peer, [null, signal]);
    });
  }

  each('does not wait for ever for a call', async (revision) => {
    const peer = await open(revision, { limits: { drain: 100 } });
    await hold(peer, 10, 'deaf');
    peer.child.kill('SIGTERM');
    await ends(peer, [null, 'SIGTERM']);
  });

  each('sent twice waits for nothing', async (revision) => {
    const peer = await open(revision, { limits: { drain: 600_000 } });
    await hold(peer, 1, 'deaf');
    peer.child.kill('SIGTERM');
    for (let code: number | undefined; code !== -31002; ) {
      peer.write(peer.speech.call('probe', 'nothing'));
      code = (await peer.answer('probe')).error?.code;
      peer.frames.length = 0;
    }
    peer.child.kill('SIGTERM');
    await ends(peer, [null, 'SIGTERM']);
  });

  each('comes between the bytes of a message', async (revision) => {
    const peer = await open(revision);
    await peer.pour(peer.speech.call(1, 'echo', { text: 'x' }).slice(0, 20));
    peer.child.kill('SIGTERM');
    await ends(peer, [null, 'SIGTERM']);
  });
});

describe('when the output is closed', () => {
  each('the process ends silently at the next response', async (revision) => {
    const peer = await open(revision);
    peer.output.destroy();
    peer.write(peer.speech.call(1, 'nothing'));
    await ends(peer);
  });

  each('during a call', async (revision) => {
    const peer = await open(revision);
    await hold(peer);
    peer.output.destroy();
    peer.write(peer.speech.call('other', 'nothing'));
    await ends(peer);
  });

  each('with stderr closed too', async (revision) => {
    const peer = await open(revision);
    peer.child.stderr.destroy();
    peer.output.destroy();
    peer.write(peer.speech.call(1, 'nothing'));
    await ends(peer);
  });
});

counted('ends of a server over stdio', () => cases);
