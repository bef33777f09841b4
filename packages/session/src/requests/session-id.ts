import { randomId } from '@tenon/foundation';
import type { Connection, Revision } from '@tenon/mcp-protocol';

/** Ids of sessions on transports without sessions, such as stdio: this process is the only one that serves them. */
const own = new WeakMap<object, string>();

/** Returns the id of the session on a connection, the same in all processes that serve it. */
export function sessionIdOf(connection: Pick<Connection, 'session'>): string {
  if (connection.session !== undefined) return connection.session;
  const id = own.get(connection) ?? randomId();
  own.set(connection, id);
  return id;
}

/** Returns the id of the session in which a message of a revision was received; undefined outside of sessions. */
export function sessionIn(
  {
    conversation,
  }: { readonly conversation: { readonly connection?: Pick<Connection, 'session'> } | undefined },
  revision: Revision | undefined,
): string | undefined {
  const connection = conversation?.connection;
  const isOfSession = connection !== undefined && revision?.lifecycle !== 'stateless';
  return isOfSession ? sessionIdOf(connection) : undefined;
}
