import { type Client, connect, SessionError, type Watch } from '@tenon/mcp-client';
import { type Connection, type Receiver, serverPort } from '@tenon/mcp-protocol';
import type { Server } from '@tenon/mcp-server';
import { memoryPair } from '@tenon/mcp-session/memory';

/** An action of one of two clients. */
export type Act =
  | 'work'
  | 'hold'
  | 'release'
  | 'ask'
  | 'open'
  | 'look'
  | 'steal'
  | 'write'
  | 'watch'
  | 'list'
  | 'read'
  | 'cancel';

interface Frame {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: {
    readonly _meta?: { readonly progressToken?: unknown };
    readonly progressToken?: unknown;
  };
}

const unknownBasket = 'This basket is unknown or has expired: call open to get another one.';

/** One of two clients of a server, which fails on messages for the other one. */
export class Neighbour {
  readonly who: 'olga' | 'bob';
  readonly faults: string[] = [];
  /** Handles it received. */
  readonly handles: string[] = [];
  readonly #other: string;
  readonly #sent: Frame[] = [];
  readonly #heard: Frame[] = [];
  readonly #underWay: Promise<unknown>[] = [];
  readonly #aborts: AbortController[] = [];
  #client: Client | undefined;

  constructor(who: 'olga' | 'bob') {
    this.who = who;
    this.#other = who === 'olga' ? 'bob' : 'olga';
  }

  async join(server: Server, revision: string): Promise<void> {
    const open = (): Connection => {
      const [near, far] = memoryPair();
      server[serverPort].accept(withFacts(far, this.who));
      return this.#noted(near);
    };
    this.#client = await connect(
      { restartable: false, open },
      {
        info: { name: this.who, version: '1.0.0' },
        revision,
        logLevel: 'debug',
        onLog: ({ data }) => this.#requireOwn(data, 'a log message'),
        onElicit: async ({ message }) => {
          this.#requireOwn(message, 'a question');
          return { action: 'accept', content: { name: `${this.who} indeed` } };
        },
      },
    );
  }

  /** Starts an action without waiting for its end. */
  act(act: Act, other: Neighbour): void {
    const client = this.#opened;
    if (act === 'cancel') this.#aborts.pop()?.abort();
    else if (act === 'list') this.#begin(client.tools().all());
    else if (act === 'read') this.#begin(client.readResource(`note://${this.who}`));
    else if (act === 'watch') this.#begin(this.#watch());
    else if (act === 'look') this.#begin(this.#look(this.handles.at(-1), `basket of ${this.who}`));
    else if (act === 'steal') this.#begin(this.#look(other.handles.at(-1), unknownBasket));
    else this.#begin(this.#call(act));
  }

  /** Waits for all actions, closes, and checks all received messages. */
  async leave(): Promise<void> {
    await Promise.all(this.#underWay);
    await this.#opened.close();
    for (const frame of this.#heard) this.#requireOwn(frame, 'a frame');
    const asked = new Set(this.#sent.filter(({ method }) => method !== undefined).map(({ id }) => id));
    const tokens = new Set(this.#sent.map(({ params }) => params?._meta?.progressToken));
    const answered = new Set<unknown>();
    for (const { id, method, params } of this.#heard) {
      if (method === 'notifications/progress' && !tokens.has(params?.progressToken)) {
        this.faults.push(`progress under the unknown token ${String(params?.progressToken)}`);
      }
      if (method !== undefined) continue;
      if (!asked.has(id)) this.faults.push(`an answer to ${String(id)}, which was not asked`);
      if (answered.has(id)) this.faults.push(`a second answer to ${String(id)}`);
      answered.add(id);
    }
  }

  get #opened(): Client {
    if (this.#client === undefined) throw new TypeError('The client is not connected.');
    return this.#client;
  }

  async #call(tool: string): Promise<void> {
    const abort = new AbortController();
    this.#aborts.push(abort);
    const onProgress = ({ message }: { readonly message?: string }) => this.#requireOwn(message, 'progress');
    const result = await this.#opened.callTool(tool, { who: this.who }, { signal: abort.signal, onProgress });
    const [block] = result.content;
    const text = block?.type === 'text' ? block.text : '';
    if (tool === 'open') this.handles.push(text);
    else if (!text.includes(this.who)) this.faults.push(`${tool} was answered "${text}"`);
  }

  async #look(handle: string | undefined, expected: string): Promise<void> {
    if (handle === undefined) return;
    const { content } = await this.#opened.callTool('look', { handle });
    const [block] = content;
    const text = block?.type === 'text' ? block.text : '';
    if (text !== expected) this.faults.push(`a basket was answered "${text}", not "${expected}"`);
  }

  async #watch(): Promise<Watch> {
    const uri = `note://${this.who}`;
    return this.#opened.watch({ uris: [uri] }, (change) => this.#requireOwn(change, 'a change'));
  }

  #begin(task: Promise<unknown>): void {
    this.#underWay.push(
      task.catch((error: unknown) => {
        const isOwnDoing = error instanceof SessionError && error.reason === 'cancelled';
        if (!isOwnDoing) this.faults.push(String(error));
      }),
    );
  }

  #requireOwn(reported: unknown, what: string): void {
    // Sealed state may contain any text by chance.
    const text = JSON.stringify(reported, (key, value) => (key === 'requestState' ? '' : value)) ?? '';
    if (text.includes(this.#other)) this.faults.push(`${what} for ${this.#other}: ${text}`);
  }

  /** Returns a connection that records its messages. */
  #noted(inner: Connection): Connection {
    const noted: Connection = {
      facts: inner.facts,
      start: (receiver) =>
        inner.start(
          redirected(receiver, noted, (value) => {
            this.#heard.push(value as Frame);
          }),
        ),
      send: (frame) => {
        this.#sent.push(JSON.parse(frame) as Frame);
        return inner.send(frame);
      },
      close: () => inner.close(),
    };
    return noted;
  }
}

/** Returns a connection with a known peer. */
function withFacts(inner: Connection, id: string): Connection {
  const known: Connection = {
    facts: { principal: { id } },
    start: (receiver) => inner.start(redirected(receiver, known, () => {})),
    send: (frame) => inner.send(frame),
    close: () => inner.close(),
  };
  return known;
}

function redirected(receiver: Receiver, exchange: Connection, note: (value: unknown) => void): Receiver {
  return {
    receive(value) {
      note(value);
      return receiver.receive(value, exchange);
    },
    malformed: (reason) => receiver.malformed(reason, exchange),
    closed: (reason) => receiver.closed(reason),
  };
}
