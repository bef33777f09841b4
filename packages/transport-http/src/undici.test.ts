import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { AnswerSink } from './client/sender/http-sender.js';
import { openSender } from './undici.js';

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function rig(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  let connections = 0;
  server.on('connection', () => connections++);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sender = await openSender(`http://127.0.0.1:${port}`, { connectWaitMs: 1_000 });
  closing.push(async () => {
    await sender.close();
    server.close();
  });
  const ask = (body = '{}') =>
    new Promise<number>((resolve, reject) => {
      let status = 0;
      const sink: AnswerSink = {
        head(given) {
          status = given;
        },
        chunk() {},
        end: () => resolve(status),
        failed: reject,
      };
      sender.request({ method: 'POST', path: '/', headers: [], body }, sink);
    });
  return { sender, ask, opened: () => connections };
}

describe('a pool of connections', () => {
  it('opens as many connections as there are concurrent requests', async () => {
    const { ask, opened } = await rig(
      (request, response) => void request.resume().on('end', () => response.end('x')),
    );
    const caller = async () => {
      for (let count = 0; count < 10; count++) await ask();
    };
    await Promise.all(Array.from({ length: 6 }, caller));
    expect(opened()).toBe(6);
  });

  it('recovers after the server closed its connections', async () => {
    const { ask } = await rig((request, response) => {
      request.resume().on('end', () => response.writeHead(200, { connection: 'close' }).end('x'));
    });
    for (let count = 0; count < 3; count++) expect(await ask()).toBe(200);
  });

  it('recovers after a connection broke', async () => {
    let breaks = true;
    const { ask } = await rig((request, response) => {
      if (breaks) request.socket.destroy();
      else request.resume().on('end', () => response.end('x'));
    });
    await expect(ask()).rejects.toThrow();
    breaks = false;
    expect(await ask()).toBe(200);
  });

  it('opens no connection after it was closed', async () => {
    const { sender, ask, opened } = await rig(
      (request, response) => void request.on('end', () => response.end()),
    );
    await sender.close();
    await expect(ask()).rejects.toMatchObject({ code: 'UND_ERR_DESTROYED' });
    expect(opened()).toBe(0);
  });
});
