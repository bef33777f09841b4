import { detach, systemClock, withinTime } from '@tenon/foundation';
import type { Connection, RequestId } from '@tenon/mcp-protocol';
import { stdioConnection } from '@tenon/mcp-transport-stdio/client';
import type { WireMessage } from '../call-trace.js';
import type { Requester } from '../lists/list-snapshot.js';
import { type DevChild, StartError } from '../supervisor/dev-child.js';

/** Receives the messages of a child. */
type TakeMessage = (peer: ChildPeer, message: WireMessage) => void;

/** The beginning of the ids of requests that are not from the client. */
const ownPrefix = 'tenon-dev-';

/** The connection to one child over its standard streams. */
export class ChildPeer {
  readonly child: DevChild;
  readonly #connection: Connection;
  readonly #own = new Map<string, (message: WireMessage | undefined) => void>();
  #next = 0;

  /** @param onStray - receives lines that are not messages. */
  constructor(child: DevChild, take: TakeMessage, onStray: (line: string) => void) {
    this.child = child;
    this.#connection = stdioConnection({
      input: child.stdout,
      output: child.stdin,
      readWhileBlocked: true,
      onStrayLine: onStray,
    });
    this.#connection.start({
      receive: (value) => {
        for (const one of Array.isArray(value) ? value : [value]) this.#receive(one as WireMessage, take);
        return undefined;
      },
      malformed: () => undefined,
      closed: () => {
        for (const settle of this.#own.values()) settle(undefined);
        this.#own.clear();
      },
    });
  }

  /** Sends a message of the client. */
  send(message: WireMessage): void {
    detach(this.#connection.send(JSON.stringify(message)), () => {});
  }

  /**
   * Sends a request that the client does not see, and returns its result.
   * @throws StartError if the child answers with an error, ends, or does not answer in time.
   */
  readonly request = async (method: string, params: object, timeout: number): ReturnType<Requester> => {
    const id = `${ownPrefix}${++this.#next}`;
    const answered = new Promise<WireMessage | undefined>((resolve) => {
      this.#own.set(id, resolve);
      this.send({ jsonrpc: '2.0', id, method, params });
    });
    const answer = await withinTime(answered, { clock: systemClock, ms: timeout, holds: true });
    this.#own.delete(id);
    const { result, error } = answer ?? {};
    if (typeof result === 'object' && result !== null) return result as WireMessage;
    const reason = answer === undefined ? 'did not answer' : Object(error).message;
    const problem = `${method} failed in the reloaded server: ${reason}`;
    throw new StartError({ message: problem, stack: problem }, 'Connect the client again.');
  };

  #receive(message: WireMessage, take: TakeMessage): void {
    const { id, method } = Object(message) as { id?: RequestId; method?: unknown };
    const own = method === undefined && typeof id === 'string' ? this.#own.get(id) : undefined;
    if (own !== undefined) own(message);
    // A late answer to a request of this program is of no use to the client.
    else if (method !== undefined || !String(id).startsWith(ownPrefix)) take(this, message);
  }
}
