import { oauth } from '@tenon/mcp-auth/client';
import { type ClientOptions, connect } from '@tenon/mcp-client';
import { scriptedBrowser } from '@tenon/mcp-testing/oauth';
import type { NotesServer } from '../notes/notes-server.js';
import type { NotesClient } from './transports.js';

/** Where somebody wants to go, in which revision. */
export interface Destination {
  readonly url: string;
  readonly revision: string;
  /** Hears what the client reports as wrong. */
  readonly complain: (what: string) => void;
}

/** Somebody whose client signs in at the protected server. */
export class Visitor {
  /** Scopes of the token, once there is one. */
  scopes: readonly string[] = [];
  /** How the server answered what the client posted to it, in order. */
  readonly statuses: number[] = [];
  readonly #destination: Destination;
  readonly #cookie: string;
  #client: Promise<NotesClient> | undefined;

  /** @param cookie - by which the authorization server knows the visitor's browser. */
  constructor(destination: Destination, cookie: string) {
    this.#destination = destination;
    this.#cookie = cookie;
  }

  /** The visitor's client, which signs in when it is first wanted. */
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
    // Who was not let in has nothing to close.
    const client = await this.#client?.catch(() => undefined);
    await client?.close();
  }
}

/** Knocks with headers that were made elsewhere, or without any. */
export async function knock(destination: Destination, headers: Record<string, string> = {}): Promise<void> {
  const client = await connect(destination.url, { ...clientOptions(destination), headers });
  await client.close();
}

function clientOptions({ revision, complain }: Destination): ClientOptions {
  return {
    info: { name: 'demo', version: '1.0.0' },
    revision,
    reconnect: false,
    onError: (error, where) => complain(`client, ${where}: ${error}`),
  };
}
