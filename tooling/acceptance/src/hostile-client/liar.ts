import type { RequestId, UnknownObject } from '@tenon/mcp-client';

/** What the client said, as it stood on the wire. */
export interface HeardMessage {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: UnknownObject;
  readonly result?: UnknownObject;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The way back for what came in. */
export interface WayBack {
  /** Writes messages, whatever they are; resolves once there is room for more. */
  say(...texts: readonly string[]): Promise<void>;
  /** Writes what is no message yet. */
  write(text: string): Promise<void>;
  /** Nothing more will come this way. */
  end(): void;
  /** Ends the connection itself. */
  cut(): void;
}

/** One message of the client, and the ways to answer it. */
export class Heard {
  readonly message: HeardMessage;
  readonly way: WayBack;

  constructor(message: HeardMessage, way: WayBack) {
    this.message = message;
    this.way = way;
  }

  get id(): RequestId | undefined {
    return this.message.id;
  }

  get params(): UnknownObject {
    return this.message.params ?? {};
  }

  get token(): RequestId {
    return (this.params._meta as { readonly progressToken: RequestId }).progressToken;
  }

  /** Says something that calls itself JSON-RPC. */
  say(message: object): Promise<void> {
    return this.way.say(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  /** Answers as one should. */
  answer(result: unknown): void {
    void this.say({ id: this.id, result });
    this.way.end();
  }

  refuse(code: number, message: string, data?: unknown): void {
    void this.say({ id: this.id, error: { code, message, data } });
    this.way.end();
  }

  /** Says so many messages, no faster than they are read. */
  async flood(times: number, messageOf: (index: number) => object): Promise<void> {
    for (let index = 0; index < times; ) {
      const some: string[] = [];
      while (some.length < 100 && index < times) {
        some.push(JSON.stringify({ jsonrpc: '2.0', ...messageOf(index++) }));
      }
      await this.way.say(...some);
    }
  }
}

/** What is done on a message. */
export type Lie = (heard: Heard) => unknown;

/** Lies by method, or by method and name of a tool: `tools/call bad`. All else is answered as one should. */
export type Lies = Readonly<Record<string, Lie>>;

/** How messages are carried. */
export type Carrier = 'stdio' | 'http';

/** A server that lies, whatever carries its words. */
export class Liar {
  /** Requests and notifications, and as many answers as anybody looks at. */
  readonly heard: HeardMessage[] = [];
  /** Answers to questions of this server. */
  answered = 0;
  /** What came last, answers and notifications apart. */
  last: Heard = nothing;
  readonly #lies: Lies;
  readonly #revision: string;
  readonly #capabilities: UnknownObject;
  readonly #listeners = new Set<() => void>();

  constructor(revision: string, lies: Lies, capabilities: UnknownObject = everything) {
    this.#revision = revision;
    this.#lies = lies;
    this.#capabilities = capabilities;
  }

  /** How often a method came, or a tool was called. */
  count(name: string): number {
    return this.heard.filter((one) => one.method === name || nameOf(one) === name).length;
  }

  /** Resolves once a method came, or a tool was called, so many times. */
  async hears(name: string, times = 1): Promise<void> {
    while (this.count(name) < times) await this.next();
  }

  /** Resolves with the first answers the client gave to questions, once there are so many in all. */
  async answers(times: number): Promise<readonly HeardMessage[]> {
    while (this.answered < times) await this.next();
    return this.heard.filter(({ method }) => method === undefined);
  }

  /** Resolves when something more has come. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#listeners.add(resolve));
  }

  /** Notes a message, and does nothing on it. */
  note(message: HeardMessage): void {
    if (message.method === undefined) this.answered++;
    if (message.method !== undefined || this.answered <= 5_000) this.heard.push(message);
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }

  take(message: HeardMessage, way: WayBack): void {
    const heard = new Heard(message, way);
    if (message.method !== undefined && message.id !== undefined) this.last = heard;
    const lie = this.#lies[nameOf(message)] ?? this.#lies[message.method ?? 'answer'];
    if (lie !== undefined) void lie(heard);
    else if (message.method !== undefined && message.id !== undefined) this.#behave(heard);
    else way.end();
    this.note(message);
  }

  #behave(heard: Heard): void {
    const { method } = heard.message;
    if (method === 'initialize') heard.answer(initialized(this.#revision, this.#capabilities));
    else if (method === 'server/discover') heard.answer(discovered([this.#revision], this.#capabilities));
    else if (method === 'tools/list') heard.answer(listed({ tools: [tool('good')] }));
    else if (method === 'tools/call') heard.answer(final({ content: goodContent }));
    else heard.answer(final({}));
  }
}

const nothing = new Heard({}, { say: async () => {}, write: async () => {}, end() {}, cut() {} });

/** The method of a message, with the name of the tool it calls. */
export function nameOf({ method, params }: HeardMessage): string {
  return typeof params?.name === 'string' ? `${method} ${params.name}` : `${method}`;
}

export const goodContent = [{ type: 'text', text: 'good' }];

const everything: UnknownObject = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

const serverInfo = { name: 'liar', version: '1' };

/** A result, as every revision may read it. */
export function final(result: object): object {
  return { resultType: 'complete', ...result };
}

/** A result with hints for caches, as every revision may read it. */
export function listed(result: object): object {
  return final({ ttlMs: 0, cacheScope: 'private', ...result });
}

export function tool(name: string, more: object = {}): object {
  return { name, inputSchema: { type: 'object' }, ...more };
}

export function initialized(protocolVersion: unknown, capabilities: unknown = everything): object {
  return { protocolVersion, capabilities, serverInfo };
}

export function discovered(supportedVersions: unknown, capabilities: unknown = everything): object {
  const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
  return listed({ supportedVersions, capabilities, _meta });
}
