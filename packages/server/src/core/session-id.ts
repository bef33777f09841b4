import { Endpoint, type IncomingRequest } from '@tenon/mcp-session';

/** Ids of sessions on transports without sessions, such as stdio: this process is the only one that serves them. */
const own = new WeakMap<Endpoint, string>();

/** Returns the id of the session of a request, the same in all processes that serve it; undefined without a session. */
export function sessionIdOf(request: Pick<IncomingRequest, 'revision' | 'host'>): string | undefined {
  return request.revision.lifecycle === 'stateless' ? undefined : conversationId(request.host.conversation);
}

/** Returns the id of a conversation; undefined if it is not a session. */
export function conversationId(conversation: unknown): string | undefined {
  if (!(conversation instanceof Endpoint)) return undefined;
  const { session } = conversation.connection;
  if (session !== undefined) return session;
  let id = own.get(conversation);
  if (id === undefined) {
    id = randomName();
    own.set(conversation, id);
  }
  return id;
}

// Lower-case letters and digits that are not easily confused: models copy them.
const letters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** 26 letters of five random bits each. */
export function randomName(): string {
  let name = '';
  for (const byte of crypto.getRandomValues(new Uint8Array(26))) name += letters[byte & 31];
  return name;
}
