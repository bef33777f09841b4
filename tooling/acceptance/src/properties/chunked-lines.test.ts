import { PassThrough, Writable } from 'node:stream';
import { stdioConnection } from '@tenon/mcp-transport-stdio/server';
import fc from 'fast-check';
import { expect } from 'vitest';
import { anyCuts, anyMessage, bytesOf, deliveries, joined, pieces } from './bytes.js';
import { holds } from './cases.js';

const maxLineBytes = 300;
const ending = fc.constantFrom('\n', '\r\n', '\n\n', '\n \t\n');

/** One line, valid or not. */
const anyLine: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: anyMessage.map((message) => bytesOf(JSON.stringify(message))) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }).map(bytesOf) },
      { weight: 1, arbitrary: fc.nat({ max: 900 }).map((length) => bytesOf(`"${'é'.repeat(length)}"`)) },
    ),
    ending,
  )
  .map(([line, end]) => joined([line, bytesOf(end)]));

/** Lines of a stream: with or without a byte order mark, with or without a final line end. */
const anyLines: fc.Arbitrary<Uint8Array> = fc
  .tuple(fc.boolean(), fc.array(anyLine, { maxLength: 8 }), fc.option(fc.uint8Array({ maxLength: 20 })))
  .map(([marked, lines, rest]) =>
    joined([marked ? new Uint8Array([0xef, 0xbb, 0xbf]) : bytesOf(''), ...lines, rest ?? bytesOf('')]),
  );

/** Returns the messages a server receives if bytes arrive in these pieces. */
async function heardOf(chunks: readonly Uint8Array[]): Promise<unknown[]> {
  const input = new PassThrough();
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const { heard, over } = deliveries(stdioConnection({ input, output, maxLineBytes }));
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await over;
  return heard;
}

holds(
  'lines of bytes give the same messages, however they are cut',
  400,
  fc.asyncProperty(anyLines, anyCuts, async (bytes, cuts) => {
    expect(await heardOf(pieces(bytes, cuts))).toEqual(await heardOf([bytes]));
  }),
);

holds(
  'every message sent as a line arrives, in order, however the bytes are cut',
  400,
  fc.asyncProperty(fc.array(fc.tuple(anyMessage, ending)), anyCuts, async (sent, cuts) => {
    const fitting = sent.filter(([message]) => bytesOf(JSON.stringify(message)).length < maxLineBytes);
    const text = fitting.map(([message, end]) => JSON.stringify(message) + end).join('');
    const messages = fitting.map(([message]) => ({ value: JSON.parse(JSON.stringify(message)) }));
    expect(await heardOf(pieces(bytesOf(text), cuts))).toEqual([...messages, { closed: undefined }]);
  }),
);
