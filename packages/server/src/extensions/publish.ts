import type { Revision, UnknownObject } from '@tenon/mcp-protocol';
import { notificationFrame } from '@tenon/mcp-protocol/internal';
import { sessionIdOf } from '@tenon/mcp-session/internal';
import type { Listener } from '../core/audience.js';
import type { ExtensionParts } from './detached-run.js';
import { mustDeclare, type OfferedExtension } from './offered.js';

/** The clients that receive a notification. */
export interface PublishFilter {
  /**
   * A member of `filters`: the notification is sent on listen streams with this member in their filter. Default: any member of the
   * extension; with `session`, none.
   */
  readonly filter?: string;
  /** Default: every accepted value. */
  matches?(accepted: unknown): boolean;
  /**
   * The id of a session, such as `call.session`: no other session receives the notification. With shared state each process must
   * publish it; only the process that serves the session sends it. Default: all sessions.
   */
  readonly session?: string;
}

/** A notification of an extension, and the clients that receive it. */
export interface Published {
  readonly method: string;
  readonly params: UnknownObject;
  readonly extension: OfferedExtension;
  readonly where: PublishFilter | undefined;
}

/** Sends a notification at once to each client that has the extension and listens for it. */
export function publish({ audience, context, revisions }: ExtensionParts, published: Published): void {
  const { onError } = context;
  const { method, params, extension, where } = published;
  const unheard = unheardIn(revisions, published);
  if (unheard !== undefined && !reported.has(extension)) {
    reported.add(extension);
    onError(unheard, method);
  }
  for (const listener of audience.listeners) {
    const { filter, meta, revision } = listener;
    try {
      if (!revision.notifications.server.has(method)) continue;
      if (mustDeclare(extension, revision) && !listener.declares(extension.id)) continue;
      if (filter === undefined ? !isOfSession(listener, where) : !matches(filter, published)) continue;
      listener.send(notificationFrame(method, meta === undefined ? params : { ...params, _meta: meta }));
    } catch (error) {
      onError(error, method);
    }
  }
}

function isOfSession({ endpoint }: Listener, where: PublishFilter | undefined): boolean {
  if (where?.session === undefined) return true;
  if (endpoint === undefined || endpoint.connection.shared?.isServedElsewhere === true) return false;
  return sessionIdOf(endpoint.connection) === where.session;
}

function matches(filter: UnknownObject, { extension, where }: Published): boolean {
  // A stream without a filter of the extension did not request its notifications.
  const keys = where?.filter === undefined ? defaultFilters(extension, where) : [where.filter];
  return keys.some((key) => {
    const accepted = filter[key];
    return accepted !== undefined && (where?.matches === undefined || where.matches(accepted) === true);
  });
}

function defaultFilters({ filters = {} }: OfferedExtension, where: PublishFilter | undefined): string[] {
  return where?.session === undefined ? Object.keys(filters) : [];
}

const reported = new WeakSet<OfferedExtension>();

/** Returns the error for a notification that no client can receive in a revision of the server, because no stream can request it. */
function unheardIn(
  revisions: readonly Revision[],
  { method, extension, where }: Published,
): TypeError | undefined {
  if (where?.filter !== undefined || where?.session !== undefined) return undefined;
  if (defaultFilters(extension, where).length > 0) return undefined;
  const deaf = revisions.find(
    ({ requests, notifications }) =>
      requests.client.has('subscriptions/listen') && notifications.server.has(method),
  );
  return (
    deaf &&
    new TypeError(
      `Extension "${extension.id}": ${method} reaches no client in ${deaf.id}, where clients request notifications by a filter. ` +
        'Add a member to "filters" of the extension at both ends, and watch it: client.watch({ filters: { ... } }, listener).',
    )
  );
}
