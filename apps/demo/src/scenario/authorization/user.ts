import { oauth } from '@tenon/mcp-auth/client';
import { type ClientOptions, connect } from '@tenon/mcp-client';
import { scriptedBrowser } from '@tenon/mcp-testing/oauth';
import type { NotesServer } from '../../notes/notes-server.js';
import type { NotesClient } from '../transports/transports.js';

/** The server that a user connects to, and the revision. */
export interface Destination {
  readonly url: string;
  readonly revision: string;
  /** Called with each error that the client reports. */
  readonly report: (what: string) => void;
}

/** A user of the protected server, with a client that signs in. */
export class User {
  /** Scopes of the token; empty until the user has signed in. */
  scopes: readonly string[] = [];
  /** HTTP statuses of the answers to the client's POSTs, in order. */
  readonly statuses: number[] = [];
  readonly #destination: Destination;
  readonly #cookie: string;
  #client: Promise<NotesClient> | undefined;

  /** @param cookie - the authorization server identifies the user's browser by it. */
  constructor(destination: Destination, cookie: string) {
    this.#destination = destination;
    this.#cookie = cookie;
  }

  /** Returns the user's client, which connects and signs in with the first call. */
  client(): Promise<NotesClient> {
    this.#client ??= connect<NotesServer>(this.#destination.url, {
      ...clientOptions(this.#destination),
      auth: oauth({
        client: { name: 'Demo' },
        interaction: scriptedBrowser({ headers: { cookie: this.#cookie } }),
        onEvent: (event) => {
          if (event.type === 'signed-in') this.scopes = event.scopes ?? [];
        },
      }),
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        if (init?.method === 'POST') this.statuses.push(answer.status);
        return answer;
      },
    });
    return this.#client;
  }

  async leave(): Promise<void> {
    // A refused client has nothing to close.
    const client = await this.#client?.catch(() => undefined);
    await client?.close();
  }
}

/** Connects without signing in, with the given headers. */
export async function connectWith(
  destination: Destination,
  headers: Record<string, string> = {},
): Promise<void> {
  const client = await connect(destination.url, { ...clientOptions(destination), headers });
  await client.close();
}

function clientOptions({ revision, report }: Destination): ClientOptions {
  return {
    info: { name: 'demo', version: '1.0.0' },
    revision,
    reconnect: false,
    onError: (error, where) => report(`client, ${where}: ${error}`),
  };
}
