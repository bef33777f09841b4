import type { UnknownObject } from '@tenon/mcp-protocol';
import { notificationFrame } from '@tenon/mcp-protocol/internal';
import type { Definition } from '../definition/definition.js';
import { mustDeclare, type OfferedExtension } from './offered.js';

/** The listen streams that receive a notification. */
export interface PublishFilter {
  /** A member of `filters`. */
  readonly filter: string;
  /** Default: every accepted value. */
  matches?(accepted: unknown): boolean;
}

/** A notification of an extension, and the clients that receive it. */
export interface Published {
  readonly method: string;
  readonly params: UnknownObject;
  readonly extension: OfferedExtension;
  readonly where: PublishFilter | undefined;
}

/** Sends a notification at once to each client that has the extension and listens for it. */
export function publish({ audience, onError }: Definition, published: Published): void {
  const { method, params, extension, where } = published;
  for (const listener of audience.listeners) {
    const { filter, meta, revision } = listener;
    try {
      if (!revision.notifications.server.has(method)) continue;
      if (mustDeclare(extension, revision) && !listener.declares(extension.id)) continue;
      if (filter !== undefined && !matches(filter, where)) continue;
      listener.send(notificationFrame(method, meta === undefined ? params : { ...params, _meta: meta }));
    } catch (error) {
      onError(error, method);
    }
  }
}

function matches(filter: UnknownObject, where: PublishFilter | undefined): boolean {
  // A stream without a filter of the extension did not request its notifications.
  if (where === undefined) return false;
  const accepted = filter[where.filter];
  return accepted !== undefined && (where.matches === undefined || where.matches(accepted));
}
