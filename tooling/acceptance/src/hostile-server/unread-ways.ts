import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import type { Revision } from '@tenon/mcp-protocol';
import { createServer } from '@tenon/mcp-server';
import { type HttpOptions, toNodeHandler } from '@tenon/mcp-server/http';
import { sseNodeHandler } from '@tenon/mcp-server/sse';
import { FakeClock } from '@tenon/mcp-testing';
import { StuckSocket } from '../../../suite/services/stuck-socket.js';
import { PostingPeer } from './posting.js';
import { requestText } from './raw-http.js';
import { handshakes, oneOfEachKind, Speech } from './speech.js';

export const mebi = 1_048_576;

/** Creates a server with a tool that returns a mebibyte, and one that logs a mebibyte before its result. */
export function largeServer(clock: FakeClock) {
  const started: string[] = [];
  const text = 'x'.repeat(mebi);
  const server = createServer({ name: 'large', version: '1.0.0' }, { clock })
    .tool('large', {}, () => {
      started.push('large');
      return text;
    })
    .tool('streamed', {}, (_, ctx) => {
      started.push('streamed');
      ctx.progress(1);
      return text;
    });
  return { server, started };
}

/** An HTTP server without a port, and a client that connects in one of several ways. */
export interface UnreadPlace {
  readonly clock: FakeClock;
  /** Names of the tools that were started. */
  readonly started: readonly string[];
  /** Opens a connection that sends nothing by itself. */
  connect(address?: string): StuckSocket;
  /** Opens a connection with an unread response to a call of `large`. */
  unread(address: string): Promise<StuckSocket>;
  /** Returns the text of a request that calls a tool. */
  ask(id: number, tool?: string): string;
  /** Returns the text of a request that resumes a stream after an event. */
  resume(lastEventId: string): string;
}

type OpenPlace = (options: HttpOptions) => Promise<UnreadPlace>;

/** The endpoint of Streamable HTTP, in all its revisions. */
const posting =
  (revision: Revision, more: HttpOptions = {}): OpenPlace =>
  async (options) => {
    const clock = new FakeClock();
    const { server, started } = largeServer(clock);
    const http: HttpServer = createHttpServer(toNodeHandler(server, { ...options, ...more, clock }));
    const connect = (address?: string) => new StuckSocket(http, address);
    const peer = new PostingPeer(revision, 'http://127.0.0.1');
    if (revision.lifecycle === 'handshake' && more.sessions !== false) {
      const socket = connect();
      await socket.reads();
      await socket.says(peer.text(peer.speech.initialize()));
      peer.session = /mcp-session-id: (\w+)/.exec(socket.text)?.[1];
      await socket.says(peer.text(peer.speech.notice('notifications/initialized')));
    }
    const always =
      more.sessions === false && revision.rules.versionHeader ? { 'mcp-protocol-version': revision.id } : {};
    const ask = (id: number, tool = 'large') =>
      peer.text(peer.speech.request(id, 'tools/call', { name: tool, _meta: { progressToken: id } }), always);
    const unread = async (address: string) => {
      const socket = connect(address);
      await socket.says(ask(1));
      return socket;
    };
    const resume = (lastEventId: string) =>
      requestText('GET /mcp', {
        ...peer.headersFor(''),
        accept: 'text/event-stream',
        'last-event-id': lastEventId,
      });
    return { clock, started, connect, unread, ask, resume };
  };

/** HTTP+SSE: responses to posts arrive on the stream of the session. */
const streaming: OpenPlace = async (options) => {
  const clock = new FakeClock();
  const { server, started } = largeServer(clock);
  const { limits } = options;
  const http = createHttpServer(
    sseNodeHandler(server, { clock, ...(limits && { limits: limits as object }) }),
  );
  const connect = (address?: string) => new StuckSocket(http, address);
  const speech = new Speech(handshakes.at(-1) as Revision);
  const json = { 'content-type': 'application/json' };
  let endpoint = '';
  const say = (body: string) => requestText(`POST ${endpoint}`, json, body);
  /** Opens a stream and reads up to the event with the endpoint. */
  const open = async (address?: string) => {
    const stream = connect(address);
    await stream.says(requestText('GET /sse', { accept: 'text/event-stream' }));
    while (!stream.text.includes('\n\n\r\n')) await stream.reads(1);
    endpoint = /data: (.*)\n/.exec(stream.text)?.[1] ?? '';
    return stream;
  };
  const ask = (id: number, tool = 'large') => say(speech.call(id, tool));
  const unread = async (address: string) => {
    const stream = await open(address);
    const poster = connect(address);
    await poster.reads();
    await poster.says(say(speech.initialize()));
    // Reads the response to the handshake too.
    await stream.reads(2_000);
    await poster.says(say(speech.notice('notifications/initialized')));
    await poster.says(ask(1));
    poster.destroy();
    return stream;
  };
  await open();
  return { clock, started, connect, unread, ask, resume: () => '' };
};

const [handshake, stateless] = oneOfEachKind as [Revision, Revision];

/** Ways to reach a `node:http` server, by name. */
export const unreadWays: readonly (readonly [string, OpenPlace])[] = [
  ['HTTP outside sessions', posting(stateless)],
  ['HTTP with sessions', posting(handshake)],
  ['HTTP with sessions switched off', posting(handshake, { sessions: false })],
  ['HTTP+SSE', streaming],
];
