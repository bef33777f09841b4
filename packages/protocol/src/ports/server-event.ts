import { withoutControls } from '@tenon/foundation';
import type { RequestId } from '../json-rpc/messages.js';
import type { Implementation } from '../model/annotations.js';
import type { Exchange } from './connection.js';

/** The peer of an event. Client info is not verified; control characters are removed, and long texts are cut. */
export interface EventPeer {
  /** The id of the principal, if the transport authenticated the caller. */
  readonly principal?: string;
  /** The network address, or what `remoteAddress` of the endpoint made of it. */
  readonly address?: string;
  /** The client info. */
  readonly client?: { readonly name: string; readonly version: string };
  /** The first 12 characters of the id of the session: enough to find its events, too little to use it. Absent without a session. */
  readonly session?: string;
  /** `http`, `sse`, `stdio` or `memory`, or the name that a transport of your own has. */
  readonly transport?: string;
}

/** A request that was answered, or never will be. */
export interface RequestEvent extends EventPeer {
  readonly type: 'request';
  readonly id: RequestId;
  /** The method as the client sent it: it may not exist. */
  readonly method: string;
  /** The name of the tool or prompt. */
  readonly name?: string;
  readonly revision: string;
  /** The number of the request among those of one call, from 2; absent for the first. */
  readonly round?: number;
  /** The time from the request to its answer, or to its cancellation. */
  readonly milliseconds: number;
  /**
   * `ok`; `tool_error` for a result that describes an error; `error` for a JSON-RPC error; `cancelled` by the client; `timeout` or
   * `limit` for a handler that was stopped; `input_required`, `task` and the like for results of that type.
   */
  readonly outcome: string;
  /** The code of the JSON-RPC error. */
  readonly code?: number;
  /** The reason of a refusal by the server itself; absent for errors of handlers, which may have texts of users. */
  readonly reason?: string;
}

/** A message or an HTTP request that was refused before it was a request of MCP, such as one for a wrong host or with bad JSON. */
export interface RefusedEvent extends EventPeer {
  readonly type: 'refused';
  /** The HTTP status; absent over other transports. */
  readonly status?: number;
  /** The HTTP method and path; the query may have secrets, and is left out. */
  readonly path?: string;
  readonly reason: string;
}

/** The beginning or end of a session in this process. Revision 2026-07-28 has no sessions. */
export interface SessionEvent extends EventPeer {
  /** `session-restored`: another process opened it, or served it before. */
  readonly type: 'session-opened' | 'session-restored' | 'session-ended';
  readonly revision: string;
  /** The reason of the end. */
  readonly reason?: string;
  /** The time that this process served it, when it ends. */
  readonly milliseconds?: number;
}

/** A call that outlived its process or its connection. */
export interface CallRecoveryEvent {
  /**
   * `call-continued`: this process runs a call that another began. `call-repeated`: a client sent a call again, and received the
   * outcome of its first attempt. `call-lost`: its process ended, and no other can continue it.
   */
  readonly type: 'call-continued' | 'call-repeated' | 'call-lost';
  /** The tool, if it is known. */
  readonly name?: string;
  /** The id of the task, if the call is one. */
  readonly task?: string;
}

/** The shared state can be reached, or cannot. */
export interface StateEvent {
  readonly type: 'state-up' | 'state-down';
  readonly reason?: string;
}

/** An error that no peer receives, which `onError` receives as well. */
export interface FailureEvent {
  readonly type: 'failure';
  /** The part that failed, such as a method or a tool. */
  readonly where: string;
  /** Its text with the stack, cleaned as the option `redact` says. */
  readonly error: string;
}

/** Events that were not delivered, since listeners were slower than the server. */
export interface DroppedEvent {
  readonly type: 'dropped';
  readonly count: number;
}

/** One report of a server about its work. Events are plain data without arguments, results or tokens. */
export type ServerEvent =
  | RequestEvent
  | RefusedEvent
  | SessionEvent
  | CallRecoveryEvent
  | StateEvent
  | FailureEvent
  | DroppedEvent;

/** The receiver of events, for the parts of a server and its transports. */
export interface EventPort {
  /** False while there is no listener: then events need not be made. Read it for each event. */
  readonly active: boolean;
  /** Delivers an event later, never during the call. Does not throw. */
  emit(event: ServerEvent): void;
}

/** Returns the peer of an exchange, as events name it. */
export function eventPeer(
  { facts }: Pick<Exchange, 'facts'>,
  client?: Implementation,
  session?: string,
): EventPeer {
  const { principal, remoteAddress, transport } = facts;
  return {
    ...(principal !== undefined && { principal: eventText(principal.id) }),
    ...(remoteAddress !== undefined && { address: eventText(remoteAddress) }),
    ...(client !== undefined && {
      client: { name: eventText(client.name), version: eventText(client.version) },
    }),
    ...(session !== undefined && { session: session.slice(0, shownOfId) }),
    ...(transport !== undefined && { transport }),
  };
}

/** Characters of the id of a session in events: who has the whole id can use the session. */
const shownOfId = 12;

/** Returns a text as events have it: a part of one line, without control characters, cut to 128 characters by default. */
export function eventText(text: string, most = 128): string {
  return withoutControls(text.slice(0, most)).replace(/\s+/g, ' ');
}

/** Returns the reason of a refusal as events have it: without what a JSON parser quotes of the message, which may be a secret. */
export function eventReason(reason: string): string {
  return eventText(reason, 500).replace(/(not JSON): .*/, '$1.');
}
