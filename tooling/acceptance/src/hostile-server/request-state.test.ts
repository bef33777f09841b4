import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSubject } from '../../fixtures/hostile-server/subject.js';
import { counted } from './counted.js';
import { framesOf, PostingPeer } from './posting.js';
import { type Frame, oneOfEachKind, textOf } from './speech.js';

const [, stateless] = oneOfEachKind;
if (stateless === undefined) throw new Error('There is no stateless revision.');

const answered = { first: { action: 'accept', content: { text: 'Ada' } } };

/** The params of a second round. */
interface Second {
  readonly by?: 'ada' | 'eve' | 'nobody';
  readonly method?: string;
  readonly tool?: string;
  readonly input?: object;
  readonly requestState?: unknown;
  readonly inputResponses?: unknown;
}

interface Row {
  readonly name: string;
  /** Differences from a well-behaved client after the first round. */
  readonly sends: (state: string) => Second | Promise<Second>;
  /** The code of an error, the text of a result, or the keys of input requests. */
  readonly gets: number | string | readonly string[];
}

const refused = -32602;
const forged = (name: string, requestState: (state: string) => unknown): Row => ({
  name,
  sends: (state) => ({ requestState: requestState(state) }),
  gets: refused,
});

const rows: readonly Row[] = [
  { name: 'nothing is wrong', sends: () => ({}), gets: 'Who? Ada' },
  forged('state that is empty', () => ''),
  forged('state that is a word', () => 'true'),
  forged('state that is a number', () => 1),
  forged('state that is a list', (state) => [state]),
  forged('state that is an object', (state) => ({ toString: state })),
  forged('state in plain text', () =>
    JSON.stringify([0, 9e15, { rounds: 0, asked: [], answers: [], steps: [] }]),
  ),
  forged('state in plain text, encoded', () => Buffer.from('[0,9e15,{}]').toString('base64url')),
  forged('state made of zeroes', (state) => 'A'.repeat(state.length)),
  forged('state made by chance', (state) => 'q3Zt'.repeat(state.length)),
  forged('state of a million characters', () => 'A'.repeat(1_000_000)),
  forged('state that goes on', (state) => `${state}AAAA`),
  forged('state twice', (state) => state + state),
  forged('state backwards', (state) => [...state].reverse().join('')),
  forged('state in small letters', (state) => state.toLowerCase()),
  forged('state in another alphabet', (state) => `${state.slice(0, -1)}é`),
  forged('state with a padding', (state) => `${state}==`),
  forged('state with a space', (state) => ` ${state}`),
  forged('state without its first byte', (state) => state.slice(4)),
  forged('state without its last byte', (state) => state.slice(0, -2)),
  forged('the first half of state', (state) => state.slice(0, state.length / 2)),
  forged('state of prototypes', () => '__proto__'),
  { name: 'other arguments', sends: () => ({ input: { what: 'Whom?' } }), gets: refused },
  { name: 'another tool', sends: () => ({ tool: 'ask-twice', input: {} }), gets: refused },
  { name: 'a tool that asks nothing', sends: () => ({ tool: 'nothing', input: {} }), gets: refused },
  {
    name: 'another method',
    sends: () => ({ method: 'prompts/get', tool: 'greet', input: { name: 'Ada' } }),
    gets: refused,
  },
  { name: 'another caller', sends: () => ({ by: 'eve' }), gets: refused },
  { name: 'no caller', sends: () => ({ by: 'nobody' }), gets: refused },
  { name: 'no state, but the answer', sends: () => ({ requestState: undefined }), gets: 'Who? Ada' },
  { name: 'no answers', sends: () => ({ inputResponses: {} }), gets: ['first'] },
  {
    name: 'an answer nobody asked for',
    sends: () => ({ inputResponses: { other: answered.first } }),
    gets: ['first'],
  },
  {
    name: 'an answer to a member of objects',
    sends: () => ({ inputResponses: JSON.parse(`{"__proto__":${JSON.stringify(answered.first)}}`) }),
    gets: ['first'],
  },
  {
    name: 'an answer that would be inherited',
    sends: () => ({ inputResponses: JSON.parse(`{"__proto__":${JSON.stringify(answered)}}`) }),
    gets: refused,
  },
  {
    name: 'ten thousand unrequested answers',
    sends: () => ({
      inputResponses: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, answered.first])),
    }),
    gets: ['first'],
  },
  { name: 'answers that are a list', sends: () => ({ inputResponses: [answered.first] }), gets: refused },
  { name: 'answers that are a text', sends: () => ({ inputResponses: 'accept' }), gets: refused },
  { name: 'an answer that is a text', sends: () => ({ inputResponses: { first: 'accept' } }), gets: refused },
  { name: 'an answer that is null', sends: () => ({ inputResponses: { first: null } }), gets: refused },
  {
    name: 'an answer of no known kind',
    sends: () => ({ inputResponses: { first: { action: 'maybe' } } }),
    gets: refused,
  },
  {
    name: 'an answer to another sort of question',
    sends: () => ({ inputResponses: { first: { roots: [] } } }),
    gets: refused,
  },
  {
    name: 'an answer whose content is a text',
    sends: () => ({ inputResponses: { first: { action: 'accept', content: 'Ada' } } }),
    gets: refused,
  },
  {
    name: 'an answer that was declined',
    sends: () => ({ inputResponses: { first: { action: 'decline' } } }),
    gets: 'decline',
  },
];

describe('the second round of a call', () => {
  let serving: HttpServing;
  const peers: PostingPeer[] = [];
  beforeAll(async () => {
    const server = createSubject({ onError: () => {} });
    serving = await serveHttp(server, {
      authenticate: ({ header }) => {
        const name = header('authorization')?.slice(7);
        return name === undefined ? undefined : { id: name };
      },
    });
  });
  afterAll(async () => {
    for (const peer of peers) peer.close();
    await serving.close();
  });

  function peerOf(name: Second['by'], url: string = serving.url): PostingPeer {
    const headers = name === 'nobody' ? {} : { authorization: `Bearer ${name}` };
    const peer = new PostingPeer(stateless as NonNullable<typeof stateless>, url, headers);
    peers.push(peer);
    return peer;
  }

  async function call(
    peer: PostingPeer,
    { method = 'tools/call', tool = 'ask', input = { what: 'Who?' }, ...rest }: Second,
  ): Promise<Frame> {
    const { requestState, inputResponses } = rest;
    const params = { name: tool, arguments: input, requestState, inputResponses };
    const [frame] = framesOf(await peer.post(peer.speech.request(1, method, params)));
    return frame as Frame;
  }

  async function first(peer: PostingPeer, tool: Second = {}): Promise<string> {
    const { result } = await call(peer, tool);
    expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    return result?.requestState as string;
  }

  function expectGot(frame: Frame, gets: Row['gets']): void {
    if (typeof gets === 'number') {
      expect(frame).toMatchObject({ error: { code: gets, message: expect.stringMatching(/^.{1,300}$/) } });
    } else if (typeof gets === 'string') expect(textOf(frame)).toBe(gets);
    else expect(frame.error ?? Object.keys((frame.result?.inputRequests ?? {}) as object)).toEqual(gets);
  }

  it.each(rows.map((row) => [row.name, row] as const))('%s', async (_name, { sends, gets }) => {
    const ada = peerOf('ada');
    const state = await first(ada);
    const { by = 'ada', ...second } = await sends(state);
    const liar = by === 'ada' ? ada : peerOf(by);
    expectGot(await call(liar, { requestState: state, inputResponses: answered, ...second }), gets);
    // The state stays valid for the user it was issued to.
    expectGot(await call(ada, { requestState: state, inputResponses: answered }), 'Who? Ada');
    await ada.isServed();
  });

  it('is rejected with any character of its state changed', async () => {
    const ada = peerOf('ada');
    const state = await first(ada);
    // Only the first five bits of the last character count.
    for (let at = 0; at < state.length - 1; at++) {
      const other = state[at] === 'A' ? 'B' : 'A';
      const requestState = state.slice(0, at) + other + state.slice(at + 1);
      expectGot(await call(ada, { requestState, inputResponses: answered }), refused);
    }
  });

  it('is rejected with the state of another server', async () => {
    const other = await serveHttp(createSubject());
    const stranger = peerOf('nobody', other.url);
    const state = await first(stranger);
    expectGot(await call(peerOf('nobody'), { requestState: state, inputResponses: answered }), refused);
    stranger.close();
    await other.close();
  });

  it('is rejected with expired state, and the error says so', async () => {
    const brief = await serveHttp(createSubject({ stateLifetime: 1 }));
    const peer = peerOf('nobody', brief.url);
    const state = await first(peer);
    const over = Date.now() + 1;
    while (Date.now() <= over) await new Promise((resolve) => setImmediate(resolve));
    const frame = await call(peer, { requestState: state, inputResponses: answered });
    expect(frame).toMatchObject({ error: { code: refused, message: expect.stringMatching(/expired/) } });
    peer.close();
    await brief.close();
  });

  it('cannot answer a later input request', async () => {
    const ada = peerOf('ada');
    const twice: Second = { tool: 'ask-twice', input: {} };
    const state = await first(ada, twice);
    const both = { first: answered.first, second: { action: 'accept', content: { text: 'Eve' } } };
    const next = await call(ada, { ...twice, requestState: state, inputResponses: both });
    expectGot(next, ['second']);
    // An answered input request is not answered again.
    const again = {
      first: { action: 'accept', content: { text: 'Eve' } },
      second: { action: 'accept', content: { text: 'Grace' } },
    };
    const requestState = next.result?.requestState;
    expectGot(await call(ada, { ...twice, requestState, inputResponses: again }), 'Ada Grace');
  });

  it('with the state of the round before leads to that round, and no further', async () => {
    const ada = peerOf('ada');
    const twice: Second = { tool: 'ask-twice', input: {} };
    const state = await first(ada, twice);
    expectGot(await call(ada, { ...twice, requestState: state, inputResponses: answered }), ['second']);
    expectGot(await call(ada, { ...twice, requestState: state, inputResponses: answered }), ['second']);
  });

  it('is rejected with a response larger than state may be', async () => {
    const ada = peerOf('ada');
    const twice: Second = { tool: 'ask-twice', input: {} };
    const state = await first(ada, twice);
    const long = { first: { action: 'accept', content: { text: 'x'.repeat(1_000_000) } } };
    expectGot(await call(ada, { ...twice, requestState: state, inputResponses: long }), -32603);
    await ada.isServed();
  });

  counted('forged state, and unrequested answers', () => rows.length + 7);
});
