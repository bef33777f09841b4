import {
  type Connection,
  type Receiver,
  type RequestId,
  serverPort,
  type UnknownObject,
  type WireError,
} from '@tenon/mcp-protocol';

interface WireMessage {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: UnknownObject;
  readonly result?: UnknownObject;
  readonly error?: WireError;
}

/** An error to answer with. */
export class WireRefusal {
  readonly error: WireError;

  constructor(code: number, message: string) {
    this.error = { code, message };
  }
}

type Answer = UnknownObject | WireRefusal | undefined;

/** Returns the result of a request; undefined for no answer. */
export type Reply = (params: UnknownObject, peer: ScriptedPeer, id: RequestId) => Answer | Promise<Answer>;

/** Replies by method. Other methods are answered with -32601. */
export type Script = Readonly<Record<string, Reply>>;

/** A server that sends what a script says, and checks nothing. */
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
  readonly #received: WireMessage[] = [];
  readonly #connection: Connection;
  readonly #server: ScriptedServer;
  readonly #sent = new Map<RequestId, (message: WireMessage) => void>();

  constructor(connection: Connection, server: ScriptedServer) {
    this.#connection = connection;
    this.#server = server;
    connection.start(this);
  }

  /** Methods that the client sent, in order. */
  get methods(): (string | undefined)[] {
    return this.#received.map(({ method }) => method);
  }

  /** Params of every message of a method, in order. */
  paramsOf(method: string): UnknownObject[] {
    return this.#received.filter((one) => one.method === method).map(({ params }) => params ?? {});
  }

  notify(method: string, params: UnknownObject = {}): void {
    this.#send({ method, params });
  }

  respond(id: RequestId, result: UnknownObject): void {
    this.#send({ id, result });
  }

  /** Sends a request to the client; resolves with its response. */
  ask(method: string, params: UnknownObject = {}): Promise<WireMessage> {
    const id = `sent-${this.#sent.size}`;
    return new Promise((resolve) => {
      this.#sent.set(id, resolve);
      this.#send({ id, method, params });
    });
  }

  /** Ends the connection. */
  die(): Promise<void> {
    return this.#connection.close();
  }

  closed(): void {}

  malformed(): undefined {
    return undefined;
  }

  async receive(value: unknown): Promise<string | undefined> {
    const message = value as WireMessage;
    this.#received.push(message);
    const { id, method, params = {} } = message;
    if (id === undefined) return undefined;
    if (method === undefined) {
      this.#sent.get(id)?.(message);
      return undefined;
    }
    const reply = this.#server.script[method] ?? (() => new WireRefusal(-32601, 'Method not found'));
    const answer = await reply(params, this, id);
    if (answer === undefined) return undefined;
    const outcome = answer instanceof WireRefusal ? { error: answer.error } : { result: answer };
    return JSON.stringify({ jsonrpc: '2.0', id, ...outcome });
  }

  #send(message: object): void {
    this.#connection.send(JSON.stringify({ jsonrpc: '2.0', ...message }))?.catch(() => undefined);
  }
}
