import type { Answer, Connection, Exchange, Receiver } from '@tenon/mcp-protocol';

/** A JSON-RPC message as it was on the wire. */
export interface Message {
  readonly jsonrpc?: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown };
  readonly result?: { readonly [name: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The sender of a message. */
export type End = 'client' | 'server';

/** One frame: a message, or the messages of a batch. */
export interface Frame {
  readonly from: End;
  readonly said: Message | readonly Message[];
  /** Headers that repeat parts of the message, if the transport has headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The messages between one client and its server, in the order the client saw them. */
export class Wire {
  readonly frames: Frame[] = [];
  readonly #waiting = new Set<() => void>();

  /** Records a frame. */
  put(from: End, said: unknown, headers?: Frame['headers']): void {
    this.frames.push({ from, said: said as Frame['said'], ...(headers && { headers }) });
    for (const look of [...this.#waiting]) look();
  }

  /** Returns the messages of one end, with batches split up. */
  from(end: End): readonly Message[] {
    return this.frames.filter(({ from }) => from === end).flatMap(({ said }) => said);
  }

  /** Returns the requests and notifications of one end with a method. */
  sent(end: End, method: string): readonly Message[] {
    return this.from(end).filter((message) => message.method === method);
  }

  /**
   * Returns the server's response to the last request with a method.
   * @throws RangeError if there is no such request or response
   */
  answer(method: string, sender: End = 'client'): Message {
    const id = this.sent(sender, method).at(-1)?.id;
    const answers = this.from(sender === 'client' ? 'server' : 'client');
    const found = answers.find((message) => message.method === undefined && message.id === id);
    if (id === undefined || found === undefined) throw new RangeError(`no response to ${method}`);
    return found;
  }

  /** Resolves with the first message of one end with a method. */
  until(end: End, method: string): Promise<Message> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.sent(end, method)[0];
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Returns a client's connection that records all messages. */
  tap(connection: Connection): Connection {
    const start = (receiver: Receiver) => connection.start(this.#listening(receiver));
    const send: Connection['send'] = (frame, envelope) => {
      this.put('client', JSON.parse(frame), envelope?.headers);
      return connection.send(frame, envelope);
    };
    return over(connection, { start, send });
  }

  #listening(receiver: Receiver): Receiver {
    return {
      receive: (value, exchange) => {
        this.put('server', value);
        return this.#answered(receiver.receive(value, this.#tapped(exchange)));
      },
      malformed: (reason, exchange) => this.#answered(receiver.malformed(reason, this.#tapped(exchange))),
      closed: (reason) => receiver.closed(reason),
    };
  }

  #tapped(exchange: Exchange): Exchange {
    const send: Exchange['send'] = (frame) => {
      this.put('client', JSON.parse(frame));
      return exchange.send(frame);
    };
    return over(exchange, { send });
  }

  #answered(answer: Answer): Answer {
    if (answer instanceof Promise) return answer.then((frame) => this.#answer(frame));
    return this.#answer(answer);
  }

  #answer(frame: string | undefined): string | undefined {
    if (frame !== undefined) this.put('client', JSON.parse(frame));
    return frame;
  }
}

/** Returns the object with some members replaced; missing members stay missing. */
function over<T extends object>(object: T, members: Partial<T>): T {
  return new Proxy(object, {
    get(_, name) {
      if (name in members) return Reflect.get(members, name);
      const value: unknown = Reflect.get(object, name, object);
      return typeof value === 'function' ? value.bind(object) : value;
    },
  });
}
