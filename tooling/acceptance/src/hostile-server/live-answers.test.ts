import type { Revision } from '@tenon/mcp-protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { createSubject } from '../../fixtures/hostile-server/subject.js';
import { counted } from './counted.js';
import { type Frame, handshakes, textOf } from './speech.js';
import { StreamedPeer } from './streamed.js';

/** Revisions in which a server sends requests during a call. */
const asking: readonly Revision[] = handshakes.filter((one) => one.requests.server.has('elicitation/create'));
const good = { action: 'accept', content: { text: 'Ada' } };

interface Row {
  readonly name: string;
  /** The client's message in place of, or before, the response to an input request. */
  readonly says: (asked: Frame) => readonly object[];
  /** The outcome of the call: its text, or an error with a matching text. */
  readonly gets: string | RegExp;
}

const answer = (id: unknown, result: unknown) => ({ jsonrpc: '2.0', id, result });
const rows: readonly Row[] = [
  { name: 'an answer', says: ({ id }) => [answer(id, good)], gets: 'Who? Ada' },
  {
    name: 'two answers, of which the first counts',
    says: ({ id }) => [answer(id, good), answer(id, { action: 'decline' })],
    gets: 'Who? Ada',
  },
  {
    name: 'answers to other ids first',
    says: ({ id }) => [
      answer('x', { action: 'decline' }),
      answer(99, { action: 'decline' }),
      answer('__proto__', { action: 'decline' }),
      answer(id, good),
    ],
    gets: 'Who? Ada',
  },
  { name: 'an answer to the text of the id', says: ({ id }) => [answer(String(id), good)], gets: 'Who? Ada' },
  {
    name: 'an answer to another text first',
    says: ({ id }) => [answer(`0${id}`, { action: 'decline' }), answer(id, good)],
    gets: 'Who? Ada',
  },
  {
    name: 'an error for no id first',
    says: ({ id }) => [
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'What?' } },
      answer(id, good),
    ],
    gets: 'Who? Ada',
  },
  {
    name: 'an answer of no known kind',
    says: ({ id }) => [answer(id, { action: 'maybe' })],
    gets: /valid|answer/i,
  },
  { name: 'an answer that is a text', says: ({ id }) => [answer(id, 'yes')], gets: /valid|answer/i },
  { name: 'an answer that is null', says: ({ id }) => [answer(id, null)], gets: /read|valid|answer/i },
  { name: 'an answer without its content', says: ({ id }) => [answer(id, { action: 'accept' })], gets: /./ },
  {
    name: 'content that does not fit',
    says: ({ id }) => [answer(id, { action: 'accept', content: { text: 5 } })],
    gets: /./,
  },
  {
    name: 'content of prototypes',
    says: ({ id }) => [answer(id, JSON.parse('{"action":"accept","content":{"__proto__":{"text":"Eve"}}}'))],
    gets: /./,
  },
  {
    name: 'an error',
    says: ({ id }) => [{ jsonrpc: '2.0', id, error: { code: -1, message: 'No.' } }],
    gets: /No\.|Internal|error/i,
  },
  {
    name: 'an error that is none',
    says: ({ id }) => [{ jsonrpc: '2.0', id, error: 'No.' }],
    gets: /read|answer/i,
  },
  {
    name: 'a result and an error',
    says: ({ id }) => [{ jsonrpc: '2.0', id, result: good, error: { code: -1, message: 'No.' } }],
    gets: /read|answer/i,
  },
  {
    name: 'neither a result nor an error',
    says: ({ id }) => [{ jsonrpc: '2.0', id }, answer(id, good)],
    gets: 'Who? Ada',
  },
];

let cases = 0;
const open: StreamedPeer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((peer) => peer.close()));
});

describe.each(asking.map((one) => [one.id, one] as const))(
  'in response to an input request in %s, a client sends',
  (_id, revision) => {
    cases += rows.length + 1;

    async function connect(server = createSubject({ onError: () => {} })): Promise<StreamedPeer> {
      const peer = await StreamedPeer.connect(server, revision);
      open.push(peer);
      return peer.open();
    }

    const isInputRequest = (frame: Frame) => frame.method === 'elicitation/create';

    it.each(rows.map((row) => [row.name, row] as const))('%s', async (_name, { says, gets }) => {
      const peer = await connect();
      peer.write(peer.speech.call('asking', 'ask', { what: 'Who?' }));
      const asked = await peer.next(isInputRequest);
      for (const message of says(asked)) peer.write(JSON.stringify(message));
      const frame = await peer.answer('asking');
      if (typeof gets === 'string') expect(textOf(frame)).toBe(gets);
      else {
        expect(frame.error !== undefined || frame.result?.isError).toBe(true);
        expect(frame.error?.message ?? textOf(frame)).toMatch(gets);
      }
      await peer.isServed();
    });

    it("a response to another client's input request, which is not affected", async () => {
      const server = createSubject();
      const [victim, liar] = await Promise.all([connect(server), connect(server)]);
      victim.write(victim.speech.call('asking', 'ask', { what: 'Who?' }));
      const asked = await victim.next(isInputRequest);
      liar.write(JSON.stringify(answer(asked.id, { action: 'accept', content: { text: 'Eve' } })));
      await liar.isServed();
      victim.write(JSON.stringify(answer(asked.id, good)));
      expect(textOf(await victim.answer('asking'))).toBe('Who? Ada');
    });
  },
);

counted('answers of a client that is asked', () => cases);
