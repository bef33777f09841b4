import { Endpoint } from '@tenon/mcp-session';
import { randomName } from '../handles/handles.js';

/** Ids of sessions on transports without sessions, such as stdio: this process is the only one that serves them. */
const own = new WeakMap<Endpoint, string>();

/** Returns the id of a session, the same in all processes that serve it; undefined without a session. */
export function sessionIdOf(conversation: unknown): string | undefined {
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
