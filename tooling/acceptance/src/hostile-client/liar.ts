import type { RequestId, UnknownObject } from '@tenon/mcp-client';

/** A message of the client, as it was on the wire. */
export interface HeardMessage {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: UnknownObject;
  readonly result?: UnknownObject;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The path for responses to a message. */
export interface WayBack {
  /** Writes messages, valid or not; resolves when more can be written. */
  say(...texts: readonly string[]): Promise<void>;
  /** Writes a part of a message. */
  write(text: string): Promise<void>;
  /** Ends the stream of responses. */
  end(): void;
  /** Closes the connection. */
  cut(): void;
}

/** One message of the client, and the ways to respond. */
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

  /** Sends an object as a JSON-RPC message. */
  say(message: object): Promise<void> {
    return this.way.say(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  /** Sends a valid response. */
  answer(result: unknown): void {
    void this.say({ id: this.id, result });
    this.way.end();
  }

  refuse(code: number, message: string, data?: unknown): void {
    void this.say({ id: this.id, error: { code, message, data } });
    this.way.end();
  }

  /** Sends a number of messages, at the speed of the reader. */
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

/** The reaction to a message. */
export type Lie = (heard: Heard) => unknown;

/** Reactions by method, or by method and tool name: `tools/call bad`. All other messages get valid responses. */
export type Lies = Readonly<Record<string, Lie>>;

/** The transport of the messages. */
export type TransportName = 'stdio' | 'http';

/** A misbehaving server, on any transport. */
export class Liar {
  /** Received requests, notifications and a bounded number of responses. */
  readonly heard: HeardMessage[] = [];
  /** Number of responses to this server's requests. */
  answered = 0;
  /** The newest request. */
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

  /** Returns how often a method, or a tool, was called. */
  count(name: string): number {
    return this.heard.filter((one) => one.method === name || nameOf(one) === name).length;
  }

  /** Resolves when a method, or a tool, was called this many times. */
  async receives(name: string, times = 1): Promise<void> {
    while (this.count(name) < times) await this.next();
  }

  /** Resolves with the client's first responses when there are this many. */
  async answers(times: number): Promise<readonly HeardMessage[]> {
    while (this.answered < times) await this.next();
    return this.heard.filter(({ method }) => method === undefined);
  }

  /** Resolves when another message arrives. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#listeners.add(resolve));
  }

  /** Records a message without a reaction. */
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

/** Returns the method of a message, with the name of the tool it calls. */
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

/** Returns a result that is valid in every revision. */
export function final(result: object): object {
  return { resultType: 'complete', ...result };
}

/** Returns a result with cache hints that is valid in every revision. */
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
