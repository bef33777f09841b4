import type { Connection, Dialer, UnknownObject } from '@tenon/mcp-client';
import { isObject } from '@tenon/mcp-protocol/internal';

/** A notification as the server sent it. */
export interface ReceivedNotification {
  readonly method: string;
  readonly params: UnknownObject;
}

/**
 * Returns a dialer with connections that report each notification of the server, before the client handles it. Also notifications that no
 * revision has are reported.
 * @param listener - must not throw.
 */
export function observeNotifications(
  dialer: Dialer,
  listener: (notification: ReceivedNotification) => void,
): Dialer {
  const { older } = dialer;
  return {
    ...dialer,
    open: async () => observed(await dialer.open(), listener),
    ...(older !== undefined && {
      older: async () => observeNotifications(await older.call(dialer), listener),
    }),
  };
}

function observed(
  connection: Connection,
  listener: (notification: ReceivedNotification) => void,
): Connection {
  const start = connection.start.bind(connection);
  connection.start = (receiver) =>
    start({
      receive: (value, exchange) => {
        for (const message of Array.isArray(value) ? value : [value]) report(message, listener);
        return receiver.receive(value, exchange);
      },
      malformed: (reason, exchange, unread) => receiver.malformed(reason, exchange, unread),
      onError: (error, where) => receiver.onError?.(error, where),
      waitsFor: (step) => receiver.waitsFor?.(step),
      closed: (reason) => receiver.closed(reason),
    });
  return connection;
}

function report(message: unknown, listener: (notification: ReceivedNotification) => void): void {
  if (!isObject(message) || typeof message.method !== 'string' || message.id !== undefined) return;
  listener({ method: message.method, params: isObject(message.params) ? message.params : {} });
}
