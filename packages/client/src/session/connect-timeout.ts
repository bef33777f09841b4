import type { Cancel, Clock } from '@tenon/foundation';
import { SessionError } from '@tenon/mcp-protocol';
import { strayOutput } from '@tenon/mcp-protocol/internal';
import type { Endpoint } from '@tenon/mcp-session';

/**
 * Limits the time of a handshake. A server that has printed something else in place of its first message has half of it: it runs,
 * and most such programs are not servers for stdio. Over HTTP each request has its own time, because the user may have to sign in.
 */
export class ConnectTimeout {
  /** Rejects with SessionError `timeout`. */
  readonly expired: Promise<never>;
  readonly #clock: Clock;
  readonly #ms: number;
  #expire: (error: SessionError) => void = () => {};
  #cancel: Cancel | undefined;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
    this.expired = new Promise((_, reject) => {
      this.#expire = reject;
    });
  }

  /** Starts the time of a new connection, in place of that of the connection before it. */
  watch(endpoint: Endpoint): Endpoint {
    this.stop();
    if (endpoint.connection.carriesHeaders === true) return endpoint;
    const half = this.#ms / 2;
    this.#cancel = this.#clock.schedule(() => {
      if (endpoint.answered === 0 && strayLinesOf(endpoint).length > 0) this.#end(endpoint, half);
      else this.#cancel = this.#clock.schedule(() => this.#end(endpoint, this.#ms), half);
    }, half);
    return endpoint;
  }

  /** Removes the limit. */
  stop(): void {
    this.#cancel?.();
  }

  #end(endpoint: Endpoint, ms: number): void {
    const { stderr = [] } = endpoint.connection;
    const printed = stderr.length === 0 ? '' : `\nIts last lines on stderr:\n  ${stderr.join('\n  ')}`;
    this.#expire(
      new SessionError(
        'timeout',
        `The server did not finish the handshake within ${ms} ms; allow it more with the option "connectTimeout".${strayOutput(strayLinesOf(endpoint))}${printed}`,
      ),
    );
    endpoint.close().catch(() => undefined);
  }
}

function strayLinesOf({ connection }: Endpoint): readonly string[] {
  return connection.strayLines ?? [];
}
