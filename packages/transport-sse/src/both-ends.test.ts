import { type JsonObject, TransportError } from '@tenon/mcp-protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Recorder } from '../../../tooling/suite/recorder.js';
import { shows } from '../../../tooling/suite/shows.js';
import { served } from '../test/served-mount.js';
import { openSse, type SseConnectionOptions } from './client.js';

async function joined(origin: string, options: SseConnectionOptions = {}) {
  const connection = await openSse(`${origin}/sse`, options)();
  onTestFinished(() => connection.close());
  const receiver = new Recorder();
  connection.start(receiver);
  return { connection, receiver };
}

describe('client and server together', () => {
  it('send messages both ways, and the answers to them', async () => {
    const { origin, application } = await served();
    const { connection, receiver } = await joined(origin);
    const end = application.end();
    end.receiver.reply = (value) => JSON.stringify({ received: value });
    receiver.reply = (value) => ('ask' in (value as JsonObject) ? '{"expected":true}' : undefined);
    await connection.send('{"id":1}', { id: 1 });
    expect(await receiver.count(1)).toEqual([{ received: { id: 1 } }]);
    end.receiver.reply = () => undefined;
    void end.connection.send('{"ask":true}');
    expect(await end.receiver.count(2)).toEqual([{ id: 1 }, { expected: true }]);
  });

  it('send a message of some megabytes, and reject a longer one than allowed', async () => {
    const { origin, application } = await served();
    const { connection, receiver } = await joined(origin);
    application.end().receiver.reply = (value) => JSON.stringify(value);
    const long = { text: 'ä'.repeat(1_500_000) };
    await connection.send(JSON.stringify(long));
    expect(await receiver.count(1)).toEqual([long]);
    const longer = JSON.stringify('x'.repeat(10_485_760));
    await expect(connection.send(longer)).rejects.toBeInstanceOf(TransportError);
    await connection.send('{"still":"here"}');
    expect(await receiver.count(2)).toEqual([long, { still: 'here' }]);
  });

  it('separate clients that use the same ids at the same time', async () => {
    const { origin, application } = await served();
    const clients = await Promise.all(Array.from({ length: 20 }, () => joined(origin)));
    for (const [number, { receiver }] of application.ends.entries()) {
      receiver.reply = (value) => JSON.stringify({ ...(value as JsonObject), server: number });
    }
    const sent = clients.map(async ({ connection, receiver }, client) => {
      for (let id = 0; id < 10; id++) await connection.send(JSON.stringify({ id, client }), { id });
      return receiver.count(10);
    });
    for (const [client, answers] of (await Promise.all(sent)).entries()) {
      expect(answers.map((one) => (one as JsonObject).client)).toEqual(Array(10).fill(client));
      expect(new Set(answers.map((one) => (one as JsonObject).server)).size).toBe(1);
    }
  });

  it('end together when either end closes', async () => {
    shows('2024-11-05/basic/lifecycle/http-closed');
    const { origin, application, mount } = await served();
    const [first, second] = [await joined(origin), await joined(origin)];
    await first.connection.close();
    expect(await application.end(1).receiver.end()).toBeUndefined();
    await mount.drain();
    expect(await second.receiver.end()).toBeInstanceOf(TransportError);
    expect(mount.sessions).toBe(0);
    await expect(openSse(`${origin}/sse`)()).rejects.toMatchObject({ status: 503 });
  });
});
