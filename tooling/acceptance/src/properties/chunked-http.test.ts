import { httpTarget } from '@tenon/mcp-client/http';
import { createServer } from '@tenon/mcp-server';
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import fc from 'fast-check';
import { expect } from 'vitest';
import { z } from 'zod';
import { anyCuts, anyMessage, bytesOf, deliveries, joined, pieces } from './bytes.js';
import { holds } from './cases.js';

/** A body that arrives in these pieces. */
function bodyOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const left = chunks.filter(({ length }) => length > 0);
  return new ReadableStream({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
  });
}

/** Returns the messages a client receives if the response arrives in these pieces. */
async function heardOf(type: string, chunks: readonly Uint8Array[]): Promise<unknown[]> {
  const fetch = async () => new Response(bodyOf(chunks), { headers: { 'content-type': type } });
  const connection = await httpTarget('http://127.0.0.1/mcp', { fetch }).open();
  const { heard } = deliveries(connection);
  try {
    await connection.send('{"jsonrpc":"2.0","id":1,"method":"ping"}', { id: 1 });
  } catch (error) {
    heard.push({ rejected: (error as Error).message });
  }
  await connection.close();
  return heard;
}

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');

/** A part of an event stream, valid or not. */
const anyPart: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.oneof(
      { weight: 5, arbitrary: anyMessage.map((message) => [`data: ${JSON.stringify(message)}`]) },
      {
        weight: 2,
        arbitrary: anyMessage.map((message) =>
          JSON.stringify(message, undefined, 1)
            .split('\n')
            .map((line) => `data:${line}`),
        ),
      },
      { weight: 1, arbitrary: fc.string({ maxLength: 20 }).map((text) => [`: ${text}`]) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(['event: message'], ['event: other', 'data: {}'], ['data'], ['id']),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }).map((text) => [text]) },
    ),
    lineEnd,
  )
  .map(([lines, end]) => bytesOf(lines.map((line) => line + end).join('') + end));

const mark = new Uint8Array([0xef, 0xbb, 0xbf]);
const answering = bytesOf('\n\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');

/** A stream, with or without a byte order mark, that ends with the response. */
const anyEvents: fc.Arbitrary<Uint8Array> = fc
  .tuple(fc.boolean(), fc.array(anyPart, { maxLength: 6 }))
  .map(([marked, parts]) => joined([marked ? mark : bytesOf(''), ...parts, answering]));

holds(
  'an event stream gives the same messages, however it is cut',
  300,
  fc.asyncProperty(anyEvents, anyCuts, async (bytes, cuts) => {
    const whole = await heardOf('text/event-stream', [bytes]);
    expect(await heardOf('text/event-stream', pieces(bytes, cuts))).toEqual(whole);
  }),
);

const anyNoise = fc.uint8Array({ minLength: 1, maxLength: 8 });

holds(
  'an event stream with bytes that are no text gives the same messages, and ends the same way, however it is cut',
  300,
  fc.asyncProperty(anyEvents, anyNoise, anyCuts, async (bytes, noise, cuts) => {
    const noisy = joined([bytes.slice(0, -answering.length), noise, answering]);
    const whole = await heardOf('text/event-stream', [noisy]);
    expect(await heardOf('text/event-stream', pieces(noisy, cuts))).toEqual(whole);
  }),
);

holds(
  'a JSON answer is the same, however its bytes are cut',
  200,
  fc.asyncProperty(anyMessage, anyCuts, async (result, cuts) => {
    const answer = { jsonrpc: '2.0', id: 1, result: { result } };
    const heard = await heardOf('application/json', pieces(bytesOf(JSON.stringify(answer)), cuts));
    expect(heard[0]).toEqual({ value: JSON.parse(JSON.stringify(answer)) });
  }),
);

const echo = toFetchHandler(
  createServer({ name: 'echo', version: '1.0.0' }, { rates: false }).tool(
    'echo',
    { input: z.object({ text: z.string() }) },
    ({ text }) => text,
  ),
);

holds(
  'a server reads the same request, however its bytes are cut',
  200,
  fc.asyncProperty(fc.string({ unit: 'grapheme' }), anyCuts, async (text, cuts) => {
    const stamp = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { name: 'echo', arguments: { text }, _meta: stamp };
    const body = bytesOf(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    const response = await echo(
      new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'echo',
        },
        body: bodyOf(pieces(body, cuts)),
        duplex: 'half',
      } as RequestInit),
    );
    expect(await response.json()).toMatchObject({ id: 1, result: { content: [{ type: 'text', text }] } });
  }),
);
