import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type Answer, type Connection, TransportError } from '@tenon/mcp-protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { recorder } from '../../test/recorder.js';
import { streamConnection } from './stream-connection.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const turns = async (count = 5) => {
  for (let n = 0; n < count; n++) await turn();
};

describe('over a socket', () => {
  const opened: { destroy(): void }[] = [];
  afterEach(() => {
    for (const one of opened.splice(0)) one.destroy();
  });

  async function socketPair(allowHalfOpen = true): Promise<[Socket, Socket]> {
    const server = createServer({ allowHalfOpen });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [far] = (await once(server, 'connection')) as [Socket];
    server.close();
    opened.push(near, far);
    return [near, far];
  }

  function start(connection: Connection, answer?: (value: unknown) => Answer) {
    const end = recorder(answer);
    connection.start(end.receiver);
    return end;
  }

  it('sends messages both ways and ends both ends when one closes', async () => {
    shows('2026-07-28/basic/transports/index/custom-stdio-framing');
    const [near, far] = await socketPair();
    const client = streamConnection(near, { readWhileBlocked: true });
    const server = streamConnection(far);
    const there = start(server, (value) => JSON.stringify({ echo: value }));
    const here = start(client);
    void client.send('"é"');
    void client.send('2');
    while (here.seen.length < 2) await turn();
    expect(here.seen).toEqual([{ echo: 'é' }, { echo: 2 }]);
    await client.close();
    await there.end;
    expect([here.closed, there.closed]).toEqual([[undefined], [undefined]]);
  });

  it('delivers all of a large answer although the server closes at once', async () => {
    const [near, far] = await socketPair();
    const client = streamConnection(near);
    // Its timers never fire: the end must come from the peer's reads.
    const server = streamConnection(far, { delay: () => () => {} });
    const here = start(client);
    void start(server);
    void client.send('"unread when the server closes"');
    void server.send(JSON.stringify('x'.repeat(4 << 20)));
    await Promise.all([server.close(), here.end]);
    expect(here.seen).toHaveLength(1);
    expect(here.closed).toEqual([undefined]);
  });

  it('answers a peer that has ended its side', async () => {
    const [near, far] = await socketPair();
    const server = streamConnection(far);
    void start(server, (value) => turn().then(() => JSON.stringify(value)));
    let text = '';
    near.on('data', (chunk) => {
      text += chunk;
    });
    near.end('1\n2\n');
    await once(near, 'close');
    expect(text).toBe('1\n2\n');
  });

  it('stops reading while a real peer does not read', async () => {
    const [near, far] = await socketPair();
    const there = start(streamConnection(far), () => JSON.stringify('x'.repeat(1 << 20)));
    near.pause();
    for (let n = 0; n < 60; n++) {
      near.write('1\n');
      await turn();
    }
    await turns(50);
    const taken = there.seen.length;
    expect(taken).toBeLessThan(30);
    near.resume();
    while (there.seen.length < 60) await turn();
  });

  it('ends with an error after a reset', async () => {
    const [near, far] = await socketPair();
    const there = start(streamConnection(far));
    near.resetAndDestroy();
    await there.end;
    expect(there.closed[0]).toBeInstanceOf(TransportError);
  });
});
