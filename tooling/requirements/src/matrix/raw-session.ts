import type { Message } from './wire.js';

/** The response to one HTTP request. */
export interface Answered {
  readonly status: number;
  readonly type: string | null;
  /** The messages of the body, when it has ended. */
  readonly messages: readonly Message[];
  readonly body: string;
}

/** A stream that is read message by message. */
export interface Listening {
  readonly status: number;
  readonly type: string | null;
  /** Returns the next message; undefined after the end of the stream. */
  next(): Promise<Message | undefined>;
  close(): Promise<void>;
}

const accept = 'application/json, text/event-stream';

/** A session over Streamable HTTP with hand-written requests, for cases that a client hides or prevents. */
export class RawSession {
  readonly #url: string;
  readonly id: string;

  private constructor(url: string, id: string) {
    this.#url = url;
    this.id = id;
  }

  /** Opens a session and sends `notifications/initialized`. */
  static async open(url: string, revision: string): Promise<RawSession> {
    const clientInfo = { name: 'matrix', version: '1.0.0' };
    const params = { protocolVersion: revision, capabilities: {}, clientInfo };
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
    });
    await response.text();
    const session = new RawSession(url, response.headers.get('mcp-session-id') ?? '');
    await session.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return session;
  }

  /** Posts a message or a batch, and reads the whole response. */
  async post(body: unknown, headers: Readonly<Record<string, string>> = this.#headers): Promise<Answered> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, ...headers },
      body: JSON.stringify(body),
    });
    const type = response.headers.get('content-type');
    const text = await response.text();
    const messages = type?.startsWith('text/event-stream') ? eventsOf(text) : jsonOf(text, type);
    return { status: response.status, type, messages, body: text };
  }

  /** Opens the stream for messages that belong to no request. */
  async listen(): Promise<Listening> {
    const headers = { accept: 'text/event-stream', ...this.#headers };
    const response = await fetch(this.#url, { headers });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let unread = '';
    const next = async (): Promise<Message | undefined> => {
      for (;;) {
        const end = unread.indexOf('\n\n');
        if (end >= 0) {
          const [message] = eventsOf(unread.slice(0, end));
          unread = unread.slice(end + 2);
          if (message !== undefined) return message;
          continue;
        }
        const chunk = await reader?.read();
        if (chunk?.value === undefined) return undefined;
        unread += chunk.value;
      }
    };
    const type = response.headers.get('content-type');
    return { status: response.status, type, next, close: async () => void (await reader?.cancel()) };
  }

  /** Ends the session. */
  async end(): Promise<number> {
    const response = await fetch(this.#url, { method: 'DELETE', headers: this.#headers });
    return response.status;
  }

  get #headers(): Readonly<Record<string, string>> {
    return { 'mcp-session-id': this.id };
  }
}

function eventsOf(text: string): readonly Message[] {
  const data = [...text.matchAll(/^data: ?(.+)$/gm)].map(
    ([, json = '']) => JSON.parse(json) as Message | Message[],
  );
  return data.flat();
}

function jsonOf(text: string, type: string | null): readonly Message[] {
  if (type?.startsWith('application/json') !== true) return [];
  return [JSON.parse(text) as Message | Message[]].flat();
}
