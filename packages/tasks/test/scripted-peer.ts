import {
  type Connection,
  type Receiver,
  type RequestId,
  serverPort,
  type UnknownObject,
  type WireError,
} from '@tenon/mcp-protocol';

/** An error to answer with. */
export class WireRefusal {
  readonly error: WireError;

  constructor(code: number, message: string, data?: unknown) {
    this.error = data === undefined ? { code, message } : { code, message, data };
  }
}

type Answer = UnknownObject | WireRefusal | undefined;

/** Handles a request; undefined sends no answer. */
export type Reply = (params: UnknownObject, peer: ScriptedPeer, id: RequestId) => Answer | Promise<Answer>;

/** Replies by method. Other methods are answered with -32601. */
export type Script = Readonly<Record<string, Reply>>;

/** A message as it was on the wire. */
export interface WireMessage {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: UnknownObject;
  readonly result?: UnknownObject;
  readonly error?: WireError;
}

/** A server that follows a script and checks nothing. */
export class ScriptedServer {
  readonly [serverPort]: ScriptedServer = this;
  script: Script;
  readonly peers: ScriptedPeer[] = [];

  constructor(script: Script) {
    this.script = script;
  }

  /** The peer of the newest connection. */
  get peer(): ScriptedPeer {
    return this.peers.at(-1) as ScriptedPeer;
  }

  accept(connection: Connection): void {
    this.peers.push(new ScriptedPeer(connection, this));
  }
}

/** One connection of a scripted server. */
export class ScriptedPeer implements Receiver {
  readonly received: WireMessage[] = [];
  readonly #connection: Connection;
  readonly #server: ScriptedServer;
  readonly #waiting = new Map<RequestId, (answer: WireMessage) => void>();

  constructor(connection: Connection, server: ScriptedServer) {
    this.#connection = connection;
    this.#server = server;
    connection.start(this);
  }

  /** The methods that the client sent, in order. */
  get methods(): readonly (string | undefined)[] {
    return this.received.map(({ method }) => method);
  }

  /** The params of each message of a method, in order. */
  paramsOf(method: string): UnknownObject[] {
    return this.received.filter((one) => one.method === method).map(({ params }) => params ?? {});
  }

  notify(method: string, params: UnknownObject): void {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  /** Sends a request to the client; resolves with the response. */
  ask(method: string, params: UnknownObject): Promise<WireMessage> {
    const id = `ask-${this.#waiting.size + 1}`;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  /** Ends the connection. */
  end(): Promise<void> {
    return this.#connection.close();
  }

  async receive(value: unknown): Promise<string | undefined> {
    const message = value as WireMessage;
    this.received.push(message);
    const { id, method, params = {} } = message;
    if (id === undefined) return undefined;
    if (method === undefined) {
      this.#waiting.get(id)?.(message);
      return undefined;
    }
    const reply = this.#server.script[method];
    const answer =
      reply === undefined ? new WireRefusal(-32601, 'Method not found') : await reply(params, this, id);
    if (answer === undefined) return undefined;
    const outcome = answer instanceof WireRefusal ? { error: answer.error } : { result: answer };
    return JSON.stringify({ jsonrpc: '2.0', id, ...outcome });
  }

  malformed(): undefined {}

  closed(): void {}

  #send(message: object): void {
    this.#connection.send(JSON.stringify(message))?.catch(() => undefined);
  }
}
