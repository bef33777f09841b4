import { BoundedMap } from '@tenon/foundation';
import { MetaKey } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import { type ConnectionRecorder, DeferredRecorder, type OpenRecording } from '@tenon/mcp-testing/recordings';

/** The facts of a message that tell its client. */
export interface MessageOrigin {
  /** The socket of the request: all requests of a socket are of one client. */
  readonly socket: object;
  /** Facts that are the same for all requests of a client, such as its user agent. */
  readonly fingerprint: string;
}

/** A client without a session, as far as a proxy can tell. */
interface Client {
  readonly recorder: ConnectionRecorder;
  readonly key: string;
  readonly sockets: WeakSet<object>;
  /** Ids of its requests. */
  readonly ids: Set<unknown>;
  lastId: unknown;
}

/** Clients without a session, and sessions, that are remembered. The oldest is forgotten. */
const mostClients = 1_000;
/** Ids that are remembered of a client. */
const mostIds = 100_000;

/** Assigns the messages that pass an HTTP proxy to the connections of a recording: one for each session or client. */
export class HttpSessions {
  readonly #recording: OpenRecording;
  readonly #sessions = new BoundedMap<string, ConnectionRecorder>(mostClients);
  #clients: Client[] = [];

  constructor(recording: OpenRecording) {
    this.#recording = recording;
  }

  /** Returns the connection of a session; a new one for a session that began before the proxy. */
  ofSession(id: string): ConnectionRecorder {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    return this.bind(id, this.#recording.connection());
  }

  /** Returns the connection that is bound to a session id or an endpoint. */
  find(name: string): ConnectionRecorder | undefined {
    return this.#sessions.get(name);
  }

  /** Begins a connection: for a handshake, or for an event stream of HTTP+SSE. */
  begin(): DeferredRecorder {
    return new DeferredRecorder(this.#recording);
  }

  /** Remembers the connection of a session. */
  bind(id: string, recorder: ConnectionRecorder): ConnectionRecorder {
    this.#sessions.set(id, recorder);
    return recorder;
  }

  /** Returns the connection of a message without a session. Socket, client info and ids distinguish clients. */
  ofClient(message: unknown, { socket, fingerprint }: MessageOrigin): ConnectionRecorder {
    const ids = idsIn(message);
    const isFree = (client: Client) => !ids.some((id) => client.ids.has(id));
    const key = `${fingerprint}\n${JSON.stringify(clientInfoIn(message))}`;
    const alike = this.#clients.filter((client) => client.key === key && isFree(client));
    const client =
      this.#clients.find((one) => one.sockets.has(socket) && isFree(one)) ??
      alike.find(({ lastId }) => typeof lastId === 'number' && ids[0] === lastId + 1) ??
      alike.at(-1) ??
      this.#newClient(key);
    client.sockets.add(socket);
    for (const id of ids) client.ids.add(id);
    if (client.ids.size > mostIds) client.ids.clear();
    client.lastId = ids.at(-1) ?? client.lastId;
    return client.recorder;
  }

  /** Returns the connection of an event stream or another request without a message. */
  ofSocket(socket: object): ConnectionRecorder | undefined {
    return this.#clients.find(({ sockets }) => sockets.has(socket))?.recorder;
  }

  /** Remembers a client of a handshake that has no session id. */
  bindClient(recorder: ConnectionRecorder, message: unknown, { socket, fingerprint }: MessageOrigin): void {
    const ids = idsIn(message);
    const key = `${fingerprint}\nundefined`;
    this.#add({ recorder, key, sockets: new WeakSet([socket]), ids: new Set(ids), lastId: ids.at(-1) });
  }

  /** Forgets a connection that has ended. */
  end(recorder: ConnectionRecorder, by: 'client' | 'server'): void {
    recorder.end(by);
    for (const [id, one] of this.#sessions) if (one === recorder) this.#sessions.delete(id);
    this.#clients = this.#clients.filter((client) => client.recorder !== recorder);
  }

  /** Ends all connections: the proxy closes. */
  endAll(): void {
    const open = new Set([...this.#sessions.values(), ...this.#clients.map(({ recorder }) => recorder)]);
    for (const recorder of open) this.end(recorder, 'client');
  }

  #newClient(key: string): Client {
    const recorder = new DeferredRecorder(this.#recording);
    return this.#add({ recorder, key, sockets: new WeakSet(), ids: new Set(), lastId: undefined });
  }

  #add(client: Client): Client {
    this.#clients.push(client);
    if (this.#clients.length > mostClients) this.#clients.shift();
    return client;
  }
}

/** Returns the ids of the requests in a message. */
export function idsIn(message: unknown): readonly unknown[] {
  const list = Array.isArray(message) ? message : [message];
  return list
    .filter((one) => isObject(one) && one.method !== undefined && one.id !== undefined)
    .map((one) => (one as { id: unknown }).id);
}

function clientInfoIn(message: unknown): unknown {
  return Object(Object(Object(message).params)._meta)[MetaKey.clientInfo];
}
