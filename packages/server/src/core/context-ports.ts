import type { Exchange, NotificationMethod, NotificationTypes } from '@tenon/mcp-protocol';
import type { IncomingRequest, RequestHost } from '@tenon/mcp-session';

/**
 * The call that a handler works for, as far as its {@link Context} needs it: who is calling, in which revision, and where
 * progress, log messages and other notifications go. A live request is one; a detached call is another.
 */
export interface CallPort
  extends Pick<
    IncomingRequest,
    | 'method'
    | 'params'
    | 'revision'
    | 'from'
    | 'principal'
    | 'signal'
    | 'finished'
    | 'meta'
    | 'progress'
    | 'state'
    | 'ask'
  > {
  /** The session, if there is one. */
  readonly host: Pick<RequestHost, 'conversation'>;
  readonly exchange: Pick<Exchange, 'facts' | 'release'>;
  notify<M extends NotificationMethod>(method: M, params: NotificationTypes[M]): Promise<void> | undefined;
}
