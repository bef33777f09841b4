import { type Client, type ConnectOptions, connect, type Dialer } from '@tenon/mcp-client';

/** Options of a {@link Contact}. */
export interface ContactSettings extends Pick<ConnectOptions, 'info' | 'revision' | 'signal' | 'clock'> {
  /** Milliseconds that one request may take. */
  readonly timeout: number;
  /** Milliseconds for the handshake. */
  readonly connectTimeout?: number | undefined;
}

const mostProblems = 50;

/** The connection of a diagnosis: its client, the problems that no call reports, and its end. */
export class Contact {
  /** Messages and entries that the client dropped, such as a broken schema. */
  readonly problems: string[] = [];
  readonly #dialer: () => Dialer;
  readonly #options: ContactSettings;
  #client: Promise<Client> | undefined;

  /** @param dialer - called when the client connects: it throws for an invalid URL. */
  constructor(dialer: () => Dialer, options: ContactSettings) {
    this.#dialer = dialer;
    this.#options = options;
  }

  /** Returns the client. It connects once. @throws the errors of `connect`. */
  client(): Promise<Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  /** Closes the connection, if there is one. */
  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.close();
  }

  async #connect(): Promise<Client> {
    const { timeout, connectTimeout, info, revision, signal, clock } = this.#options;
    return connect(this.#dialer(), {
      info,
      reconnect: false,
      cache: false,
      // Signing in may take longer: the time of the user is not counted here.
      limits: { requestTimeout: timeout },
      ...(connectTimeout !== undefined && { connectTimeout }),
      ...(revision !== undefined && { revision }),
      ...(signal !== undefined && { signal }),
      ...(clock !== undefined && { clock }),
      onError: (error, where) => {
        const text = error instanceof Error ? error.message : String(error);
        if (this.problems.length < mostProblems) this.problems.push(`${where}: ${text}`);
      },
    });
  }
}
