import { otherBounds } from '@tenon/foundation';
import { SessionError } from '@tenon/mcp-protocol';
import type { ServerOptions } from '@tenon/mcp-server';
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSubject } from '../../fixtures/hostile-server/subject.js';
import { framesOf, PostingPeer } from './posting.js';
import { batching, type Frame, Speech } from './speech.js';
import { StreamedPeer } from './streamed.js';

/** One row: the number of calls in one batch, the size of each result in characters, and the expected codes. */
interface Row {
  readonly name: string;
  readonly tool: 'long' | 'slow';
  readonly codes: readonly (number | 'result')[];
}

const count = 50;
const most = 10_000;

const rows: readonly Row[] = [
  {
    name: 'of handlers that answer at once: no further one is started',
    tool: 'long',
    codes: ['result', 'result', 'result', -32_603, ...Array<number>(count - 4).fill(-31_001)],
  },
  {
    name: 'of handlers that run at the same time: what does not fit is not kept',
    tool: 'slow',
    codes: ['result', 'result', 'result', ...Array<number>(count - 3).fill(-32_603)],
  },
];

/** Sends a text and returns the batch of responses. Checks that another client is served meanwhile. */
interface Place {
  say(text: string): Promise<readonly Frame[]>;
  isServed(): Promise<void>;
}

type Subject = ReturnType<typeof createSubject>;

const places: Readonly<Record<string, (server: Subject) => Promise<Place>>> = {
  async 'a stream of lines'(server) {
    const peer = await (await StreamedPeer.connect(server, revision)).open();
    onTestFinished(() => peer.close());
    const say = async (text: string) => {
      peer.write(text);
      return (await peer.count(1))[0] as unknown as readonly Frame[];
    };
    return { say, isServed: () => peer.isServed() };
  },
  'HTTP with sessions': (server) => posting(server, true),
  'HTTP without sessions': (server) => posting(server, false),
  async 'the fetch face'(server) {
    const handler = toFetchHandler(server, { allowedHosts: ['localhost'] });
    const post = (body: string, headers: Record<string, string> = {}) =>
      handler(
        new Request('http://localhost/mcp', {
          method: 'POST',
          headers: {
            host: 'localhost',
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...headers,
          },
          body,
        }),
      );
    const opened = await post(speech.initialize());
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const say = async (text: string) => (await (await post(text, session)).json()) as readonly Frame[];
    return {
      say,
      async isServed() {
        expect((await post(speech.initialize())).status).toBe(200);
      },
    };
  },
  async 'HTTP+SSE'(server) {
    const mount = sseMount(server);
    const serving = await serveHttp(server, { mounts: [mount] });
    const stop = new AbortController();
    onTestFinished(async () => {
      stop.abort();
      await serving.close();
    });
    const { origin } = new URL(serving.url);
    const response = await fetch(`${origin}/sse`, {
      headers: { accept: 'text/event-stream' },
      signal: stop.signal,
    });
    const events = eventsOf(response);
    const { value: endpoint = '' } = await events.next();
    const post = (body: string) =>
      fetch(origin + endpoint, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const say = async (text: string) => {
      expect((await post(text)).status).toBe(202);
      return JSON.parse((await events.next()).value ?? '') as readonly Frame[];
    };
    await say(speech.initialize());
    return {
      say,
      async isServed() {
        expect(await say(speech.request('p', 'ping'))).toMatchObject({ id: 'p', result: {} });
      },
    };
  },
};

const [revision] = batching as [(typeof batching)[number]];
const speech = new Speech(revision);

async function posting(server: Subject, sessions: boolean): Promise<Place> {
  const serving = await serveHttp(server, sessions ? {} : { sessions: false });
  const peer = new PostingPeer(revision, serving.url);
  onTestFinished(async () => {
    peer.close();
    await serving.close();
  });
  if (sessions) await peer.open();
  const say = async (text: string) => framesOf(await peer.post(text))[0] as unknown as readonly Frame[];
  return { say, isServed: () => peer.isServed() };
}

/** Returns the data of each event. */
async function* eventsOf(response: Response): AsyncGenerator<string, undefined> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const data = block.split('\n').find((line) => line.startsWith('data: '));
      if (data !== undefined) yield data.slice(6);
    }
  }
}

describe.each(Object.entries(places))('over %s', (_place, open) => {
  it.each(rows.map((row) => [row.name, row] as const))(
    'answers to a batch that are too long in sum, %s',
    async (_name, { tool, codes }) => {
      const errors: unknown[] = [];
      const options: ServerOptions = {
        limits: otherBounds({ batchAnswers: most }),
        onError: (error) => errors.push(error),
      };
      const server = createSubject(options).tool('slow', {}, async () => 'x'.repeat(3_000));
      const place = await open(server as Subject);
      const input = tool === 'long' ? { length: 3_000 } : {};
      const calls = Array.from({ length: count }, (_, id) => speech.call(id, tool, input));
      const answers = await place.say(`[${calls.join(',')}]`);
      expect(answers.map(({ error }) => error?.code ?? 'result')).toEqual(codes);
      expect(answers.map(({ id }) => id)).toEqual(calls.map((_, id) => id));
      expect(JSON.stringify(answers).length).toBeLessThan(most + count * 400);
      expect(errors).toEqual([expect.any(SessionError)]);
      await place.isServed();
    },
  );
});
