import { otherBounds } from '@tenon/foundation';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { type HttpCall, HttpPeer, modern } from '../../test/http-peer.js';
import { connect } from '../connect.js';
import { httpTarget } from '../http.js';
import { stdioTarget } from '../stdio.js';

const info = { name: 'client', version: '1' };
const giant = { content: [{ type: 'text', text: 'x'.repeat(100_000) }] };
const small = { content: [{ type: 'text', text: 'small' }] };

const asEvent = (call: HttpCall, result: object) => {
  call.event({ id: call.message.id, result });
  call.response.end();
};

describe('a giant result over HTTP', () => {
  it.each([
    ['as JSON', 'maxAnswerBytes', (call: HttpCall, result: object) => call.result(result)],
    ['as an event', 'maxEventChars', asEvent],
    ['as a stream', 'maxStreamBytes', asEvent],
  ] as const)('%s ends in an error that names the bound, and the next call is answered', async (...row) => {
    const [, limit, answer] = row;
    const peer = await HttpPeer.start(
      modern({ 'tools/call': (call) => answer(call, call.message.params?.name === 'giant' ? giant : small) }),
    );
    const client = await connect(
      httpTarget(peer.url, {
        limits: limit === 'maxAnswerBytes' ? { [limit]: 50_000 } : otherBounds({ [limit]: 50_000 }),
      }),
      { info },
    );
    onTestFinished(() => client.close());
    await expect(client.callTool('giant')).rejects.toMatchObject({
      name: 'TransportError',
      message: expect.stringMatching(/50,?000/),
    });
    expect((await client.callTool('small')).content).toEqual(small.content);
    expect(client.state).toBe('open');
  });
});

describe('a giant result over stdio', () => {
  /** Returns a server program that answers a tool call with the members in the order of `answer`. */
  const program = (answer: string) => `
    const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      const serverInfo = { name: 'child', version: '1' };
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
      const text = params?.name === 'giant' ? 'x'.repeat(100_000) : 'small';
      if (method === 'initialize') send({ id, result });
      const content = [{ type: 'text', text }];
      if (method === 'tools/call') send(${answer});
    });
  `;

  const opened = async (answer: string) => {
    const reported: string[] = [];
    const target = stdioTarget({
      command: process.execPath,
      args: ['-e', program(answer)],
      maxLineBytes: 50_000,
    });
    const clock = new FakeClock();
    const onError = (error: unknown) => reported.push(String(error));
    const client = await connect(target, { info, clock, revision: '2025-11-25', onError });
    onTestFinished(() => client.close());
    return { client, clock, reported };
  };

  it('is dropped and reported, its call rejects at once, and the next call is answered', async () => {
    const { client, reported } = await opened('{ id, result: { content } }');
    await expect(client.callTool('giant')).rejects.toMatchObject({
      name: 'SessionError',
      reason: 'limit',
      message: 'tools/call giant: The line is longer than 50000 bytes (maxLineBytes).',
    });
    expect(reported).toEqual([expect.stringContaining('50000')]);
    expect((await client.callTool('small')).content).toEqual(small.content);
    expect(client.state).toBe('open');
  });

  it('with its id at the end rejects its own call at the timeout, and no other call', async () => {
    const { client, clock } = await opened('{ result: { content }, id }');
    const giantCall = client.callTool('giant').catch((error: unknown) => error);
    expect((await client.callTool('small')).content).toEqual(small.content);
    await clock.advance(60_000);
    expect(await giantCall).toMatchObject({ reason: 'timeout', message: expect.stringContaining('50000') });
    expect(client.state).toBe('open');
  });
});
