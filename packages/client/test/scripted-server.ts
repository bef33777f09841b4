import {
  type Connection,
  type Receiver,
  type RequestId,
  serverPort,
  type UnknownObject,
  type WireError,
} from '@tenon/mcp-protocol';

/** A message as it stood on the wire. */
export interface WireMessage {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: UnknownObject;
  readonly result?: UnknownObject;
  readonly error?: WireError;
}

/** An error to answer with. */
export class WireRefusal {
  readonly error: WireError;

  constructor(code: number, message: string, data?: unknown) {
    this.error = { code, message, ...(data === undefined ? undefined : { data }) };
  }
}

/** Handles a request: returns a result, a refusal, or undefined to send no answer. */
export type Reply = (
  params: UnknownObject,
  peer: ScriptedPeer,
  id: RequestId,
) => UnknownObject | WireRefusal | undefined | Promise<UnknownObject | WireRefusal | undefined>;

/** Replies by method. Other methods are answered with -32601. */
export type Script = Readonly<Record<string, Reply>>;

/** A server that replays a script; it knows no revisions and checks nothing. */
export class ScriptedServer {
  readonly [serverPort]: ScriptedServer = this;
  script: Script;
  readonly peers: ScriptedPeer[] = [];

  constructor(script: Script) {
    this.script = script;
  }

  accept(connection: Connection): void {
    this.peers.push(new ScriptedPeer(connection, this));
  }

  /** The peer of the newest connection. */
  get peer(): ScriptedPeer {
    return this.peers.at(-1) as ScriptedPeer;
  }
}

/** One connection of a scripted server. */
export class ScriptedPeer implements Receiver {
  /** Everything the client sent, in order. */
  readonly heard: WireMessage[] = [];
  /** Frames that were batches. */
  batches = 0;
  closed(): void {}
  readonly #connection: Connection;
  readonly #server: ScriptedServer;
  readonly #asked = new Map<RequestId, (message: WireMessage) => void>();
  #lastId = 0;

  constructor(connection: Connection, server: ScriptedServer) {
    this.#connection = connection;
    this.#server = server;
    connection.start(this);
  }

  /** Methods the client sent, in order. */
  get methods(): (string | undefined)[] {
    return this.heard.map((message) => message.method);
  }

  /** Params of every message of a method, in order. */
  paramsOf(method: string): UnknownObject[] {
    return this.heard.filter((one) => one.method === method).map((one) => one.params ?? {});
  }

  notify(method: string, params: UnknownObject = {}): void {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  respond(id: RequestId, result: UnknownObject): void {
    this.#send({ jsonrpc: '2.0', id, result });
  }

  /** Sends a request to the client; resolves with its response. */
  ask(method: string, params: UnknownObject = {}): Promise<WireMessage> {
    const id = `ask-${++this.#lastId}`;
    return new Promise((resolve) => {
      this.#asked.set(id, resolve);
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  #send(message: object): void {
    this.#connection.send(JSON.stringify(message))?.catch(() => undefined);
  }

  /** Ends the connection. */
  die(): Promise<void> {
    return this.#connection.close();
  }

  malformed(): undefined {
    return undefined;
  }

  async receive(value: unknown): Promise<string | undefined> {
    if (!Array.isArray(value)) return this.#receiveOne(value as WireMessage);
    this.batches++;
    const answers = await Promise.all(value.map((one) => this.#receiveOne(one as WireMessage)));
    return `[${answers.filter((one) => one !== undefined).join(',')}]`;
  }

  async #receiveOne(message: WireMessage): Promise<string | undefined> {
    this.heard.push(message);
    const { id, method, params = {} } = message;
    if (method === undefined) {
      if (id !== undefined) this.#asked.get(id)?.(message);
      return undefined;
    }
    if (id === undefined) return undefined;
    const reply = this.#server.script[method];
    const answer =
      reply === undefined ? new WireRefusal(-32601, 'Method not found') : await reply(params, this, id);
    if (answer === undefined) return undefined;
    return answer instanceof WireRefusal
      ? JSON.stringify({ jsonrpc: '2.0', id, error: answer.error })
      : JSON.stringify({ jsonrpc: '2.0', id, result: answer });
  }
}
