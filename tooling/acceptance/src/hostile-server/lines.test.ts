import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { createSubject } from '../../fixtures/hostile-server/subject.js';
import { counted } from './counted.js';
import type { LinePeer } from './line-peer.js';
import { killChildren, SpawnedPeer } from './spawned.js';
import { everyRevision, oneOfEachKind, type Speech } from './speech.js';
import { StreamedPeer } from './streamed.js';

/** Bytes, and the expected responses. */
interface Row {
  readonly name: string;
  readonly bytes: (speech: Speech) => string | Uint8Array;
  /** Texts of the results, and error codes for invalid messages. */
  readonly gets: readonly (string | number)[];
}

const say = (text: string) => (speech: Speech) => speech.call(1, 'echo', { text });
const wrong = (...bytes: number[]) => Buffer.from([...bytes, 10]);
const within = (speech: Speech, ...bytes: number[]) => {
  const [head = '', tail = ''] = speech.call(1, 'echo', { text: 'a|b' }).split('|');
  return Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(`${tail}\n`)]);
};
const garbage = (length: number, of: string) => Buffer.from(`${of.repeat(length)}\n`);

const rows: readonly Row[] = [
  { name: 'a line of garbage', bytes: () => 'listening on port 3000\n', gets: [-32700] },
  {
    name: 'garbage before and after a message',
    bytes: (s) => `oops\n${say('x')(s)}\noops\n`,
    gets: [-32700, 'x', -32700],
  },
  { name: 'a hundred lines of garbage', bytes: () => '}{\n'.repeat(100), gets: Array(100).fill(-32700) },
  {
    name: 'headers of another protocol',
    bytes: () => 'Content-Length: 2\r\n\r\n{}\n',
    gets: [-32700, -32600],
  },
  { name: 'a request of HTTP', bytes: () => 'POST /mcp HTTP/1.1\r\nHost: x\r\n\r\n', gets: [-32700, -32700] },
  { name: 'half of a message', bytes: (s) => `${say('x')(s).slice(0, -5)}\n`, gets: [-32700] },
  {
    name: 'a message in two lines',
    bytes: (s) => `${say('x')(s).replace(',', ',\n')}\n`,
    gets: [-32700, -32700],
  },
  { name: 'two messages in one line', bytes: (s) => `${say('x')(s)}${say('y')(s)}\n`, gets: [-32700] },
  { name: 'a comma too many', bytes: () => '{"jsonrpc":"2.0","id":1,"method":"ping",}\n', gets: [-32700] },
  { name: 'quotes of another language', bytes: () => "{'jsonrpc':'2.0'}\n", gets: [-32700] },
  { name: 'NaN', bytes: () => '{"jsonrpc":"2.0","id":NaN}\n', gets: [-32700] },
  {
    name: 'a raw control character',
    bytes: () => '{"jsonrpc":"2.0","id":1,"method":"a\u0001"}\n',
    gets: [-32700],
  },
  { name: 'empty lines', bytes: (s) => `\n\n\r\n \n\t\n${say('x')(s)}\n\n`, gets: ['x'] },
  { name: 'a hundred thousand empty lines', bytes: () => '\n'.repeat(100_000), gets: [] },
  { name: 'lines that end in CRLF', bytes: (s) => `${say('x')(s)}\r\n${say('y')(s)}\r\n`, gets: ['x', 'y'] },
  { name: 'CR alone, which ends no line', bytes: (s) => `${say('x')(s)}\r${say('y')(s)}\n`, gets: [-32700] },
  { name: 'spaces around a message', bytes: (s) => ` \t${say('x')(s)} \t \n`, gets: ['x'] },
  {
    name: 'a separator that JavaScript takes for a line end',
    bytes: (s) => `${say('a\u2028b')(s)}\n`,
    gets: ['a\u2028b'],
  },
  { name: 'a form feed', bytes: (s) => `\f${say('x')(s)}\n`, gets: [-32700] },
  { name: 'a byte order mark in the middle', bytes: (s) => `\ufeff${say('x')(s)}\n`, gets: [-32700] },
  { name: 'a byte order mark in a text', bytes: (s) => `${say('\ufeffx')(s)}\n`, gets: ['\ufeffx'] },
  { name: 'NUL bytes', bytes: () => wrong(0, 0, 0), gets: [-32700] },
  {
    name: 'UTF-16',
    bytes: (s) => Buffer.concat([Buffer.from(say('x')(s), 'utf16le'), wrong(0)]),
    gets: [-32700],
  },
  { name: 'a byte that begins nothing', bytes: (s) => within(s, 0xff), gets: [-32700] },
  { name: 'a character without its beginning', bytes: (s) => within(s, 0x80), gets: [-32700] },
  { name: 'a character without its end', bytes: (s) => within(s, 0xe2, 0x82), gets: [-32700] },
  { name: 'a slash in too many bytes', bytes: (s) => within(s, 0xc0, 0xaf), gets: [-32700] },
  { name: 'half a character of UTF-16', bytes: (s) => within(s, 0xed, 0xa0, 0x80), gets: [-32700] },
  { name: 'a character beyond Unicode', bytes: (s) => within(s, 0xf4, 0x90, 0x80, 0x80), gets: [-32700] },
  {
    name: 'bad bytes between good lines',
    bytes: (s) =>
      Buffer.concat([Buffer.from(`${say('é')(s)}\n`), wrong(0xff), Buffer.from(`${say('日')(s)}\n`)]),
    gets: ['é', -32700, '日'],
  },
  { name: 'brackets without end', bytes: () => garbage(1_000_000, '['), gets: [-32700] },
  { name: 'braces without end', bytes: () => garbage(200_000, '{"":'), gets: [-32700] },
  {
    name: 'lists in lists in lists',
    bytes: () => `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}\n`,
    gets: [-32700],
  },
  {
    name: 'objects in objects in objects',
    bytes: () => `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}\n`,
    gets: [-32700],
  },
  { name: 'a million empty objects', bytes: () => `[${'{},'.repeat(1_000_000)}{}]\n`, gets: [-32600] },
  {
    name: 'a number of a million digits',
    bytes: () => `{"jsonrpc":"2.0","id":${'9'.repeat(1_000_000)},"method":"ping"}\n`,
    gets: [-32600],
  },
  {
    name: 'a quarter of a million members',
    bytes: () => `{${Array.from({ length: 250_000 }, (_, n) => `"${n}":0`).join()}}\n`,
    gets: [-32600],
  },
  { name: 'a line of 15 MiB', bytes: () => garbage(15 * 2 ** 20, 'x'), gets: [-32700] },
];

const long = /longer than 16777216 bytes/;
let cases = 0;

/** Sends bytes, and checks the responses against a row. */
async function hold(peer: LinePeer, { bytes, gets }: Row): Promise<void> {
  const given = bytes(peer.speech);
  await peer.pour(given);
  await peer.count(gets.length);
  await peer.isServed();
  const seen = peer.frames.map((frame) => {
    const { content } = (frame.result ?? {}) as { readonly content?: readonly { readonly text: string }[] };
    return content?.[0]?.text ?? frame.error?.code;
  });
  expect(seen).toEqual(gets);
  for (const { error } of peer.frames) if (error !== undefined) expect(error.message).toMatch(/^.{1,300}$/s);
  peer.frames.length = 0;
}

/** Runs a row in each of the two revisions. */
function each(revisions: typeof everyRevision, body: (one: (typeof everyRevision)[number]) => void): void {
  for (const revision of revisions) describe(`in ${revision.id}`, () => body(revision));
}

describe('lines', () => {
  each(everyRevision, (revision) => {
    const server = createSubject({ onError: () => {} });
    cases += rows.length;
    it.each(rows.map((row) => [row.name, row] as const))('over a stream: %s', async (_name, row) => {
      const peer = await StreamedPeer.connect(server, revision);
      const neighbour = await StreamedPeer.connect(server, revision);
      await Promise.all([peer.open(), neighbour.open()]);
      await peer.isServed();
      await hold(peer, row);
      await neighbour.isServed();
      expect(neighbour.frames).toEqual([]);
      await Promise.all([peer.close(), neighbour.close()]);
    });
  });

  each(oneOfEachKind, (revision) => {
    cases += rows.length;
    it(`over stdio: ${rows.length} kinds in a row, and its memory is what it was`, {
      timeout: 20_000,
    }, async () => {
      const peer = await new SpawnedPeer(revision).open();
      try {
        const before = await peer.weigh();
        for (const row of rows) await hold(peer, row);
        expect((await peer.weigh()) - before).toBeLessThan(4 * 2 ** 20);
        expect(await peer.close()).toEqual([0, null]);
      } finally {
        killChildren();
      }
    });
  });
});

describe('text in pieces', () => {
  const transcript = (speech: Speech) =>
    Buffer.from(`${say('é日🙂')(speech)}\r\n\n \t\r\n${say('𝄞')(speech)}\n${say('plain')(speech)}\n`);
  const texts = ['é日🙂', '𝄞', 'plain'];

  each(oneOfEachKind, (revision) => {
    cases++;
    it('has the same result wherever it is split in two', async () => {
      const peer = await (await StreamedPeer.connect(createSubject(), revision)).open();
      const bytes = transcript(peer.speech);
      for (let cut = 0; cut <= bytes.length; cut++) {
        peer.write(bytes.subarray(0, cut));
        await new Promise((resolve) => setImmediate(resolve));
        await hold(peer, { name: `${cut}`, bytes: () => bytes.subarray(cut), gets: texts });
      }
      await peer.close();
    });

    cases++;
    it('has the same result byte by byte', async () => {
      const peer = await (await StreamedPeer.connect(createSubject(), revision)).open();
      const bytes = transcript(peer.speech);
      for (const byte of bytes.subarray(0, -1)) peer.write(Buffer.from([byte]));
      await hold(peer, { name: '', bytes: () => bytes.subarray(-1), gets: texts });
      await peer.close();
    });
  });

  cases++;
  it('may start with a byte order mark', async () => {
    const [revision] = everyRevision as [(typeof everyRevision)[number]];
    const peer = await StreamedPeer.connect(createSubject(), revision);
    await hold(peer, { name: '', bytes: (speech) => `\ufeff${say('x')(speech)}\n`, gets: ['x'] });
    await peer.close();
  });
});

describe('a line that is too long', () => {
  const chunk = Buffer.alloc(1 << 20, 'x');

  each(oneOfEachKind, (revision) => {
    cases++;
    it('of 50 MB is dropped as it arrives: memory stays flat, and the next line is served', async () => {
      const peer = await new SpawnedPeer(revision).open();
      try {
        const before = await peer.weigh();
        for (let sent = 0; sent < 50; sent++) await peer.pour(chunk);
        await peer.pour('\n');
        await peer.isServed();
        expect(peer.frames).toMatchObject([
          { error: { code: -32700, message: expect.stringMatching(long) } },
        ]);
        expect((await peer.weigh()) - before).toBeLessThan(2 * 2 ** 20);
        expect(await peer.close()).toEqual([0, null]);
      } finally {
        killChildren();
      }
    });

    cases++;
    it('without an end is reported once and not stored, until the input ends', async () => {
      const peer = await new SpawnedPeer(revision, { stdio: { maxLineBytes: 1 << 20 } }).open();
      try {
        let most = 0;
        const resident = peer.resident ?? 0;
        for (let sent = 0; sent < 400; sent++) {
          await peer.pour(chunk);
          most = Math.max(most, (peer.resident ?? 0) - resident);
        }
        expect(await peer.count(1)).toMatchObject([{ error: { code: -32700 } }]);
        // 400 MiB passed; the amount read ahead and not collected yet varies.
        expect(most).toBeLessThan(160 * 2 ** 20);
        expect(await peer.close()).toEqual([0, null]);
        expect(peer.frames).toHaveLength(1);
      } finally {
        killChildren();
      }
    });
  });
});

counted('bytes that are no messages, over stdio', () => cases);
