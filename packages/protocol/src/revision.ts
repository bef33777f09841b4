import type { WireCheck } from './check.js';
import type { Implementation } from './features/annotations.js';
import type { ClientCapabilities } from './features/capabilities.js';
import type { LogLevel } from './features/logging.js';
import type { UnknownObject } from './json.js';
import type { Allowance } from './leniencies.js';

/** One end of the protocol. */
export type Side = 'client' | 'server';

/** A result that a leniency made readable. */
export interface Repaired {
  readonly value: UnknownObject;
  readonly allowance: Allowance;
}

/** Reads a wire result that did not pass its check by one leniency; undefined where that one does not apply. */
export type Repair = (result: UnknownObject) => Repaired | undefined;

/**
 * A request method of one revision. Transforms are pure, never mutate, and are undefined where nothing changes. Wire
 * params are the neutral ones wherever the check passes, so nothing decodes them.
 */
export interface RequestRow {
  /** Looks at wire params; absent params are seen as `{}`. */
  readonly params: WireCheck;
  /** Looks at a wire result. */
  readonly result: WireCheck;
  /** Neutral to wire. */
  readonly encodeParams?: ((params: UnknownObject) => UnknownObject) | undefined;
  /** Neutral to wire. */
  readonly encodeResult?: ((result: UnknownObject) => UnknownObject) | undefined;
  /** Wire to neutral, after the check. */
  readonly decodeResult?: ((result: UnknownObject) => UnknownObject) | undefined;
  /** Leniencies for a wire result that does not pass the check, which are applied in turn before it is checked again. */
  readonly repairs?: readonly Repair[] | undefined;
  /** The call may end with questions to the client. */
  readonly mayAsk?: true | undefined;
  /** It lasts for as long as its sender wants, and a server may end it by a cancellation where it may end no other. */
  readonly lasting?: true | undefined;
  /** The param that the `Mcp-Name` header repeats, where the revision has such headers. */
  readonly named?: string | undefined;
  /** The core has no handler of the method: an extension may implement it. */
  readonly open?: true | undefined;
}

/** A notification method of one revision. */
export interface NotificationRow {
  readonly params: WireCheck;
  /** Neutral to wire. */
  readonly encodeParams?: ((params: UnknownObject) => UnknownObject) | undefined;
  /** The core neither sends nor reads the notification: an extension may. */
  readonly open?: true | undefined;
}

/** Methods by who sends them. */
export interface MethodTable<Row> {
  readonly client: ReadonlyMap<string, Row>;
  readonly server: ReadonlyMap<string, Row>;
}

/** What every request of a stateless revision says of its sender. */
export interface RequestStamp {
  readonly clientCapabilities: ClientCapabilities;
  readonly clientInfo?: Implementation;
  /** Least severe log level wanted for this request; absent means no log messages. */
  readonly logLevel?: LogLevel;
}

/** How a revision wraps what all its messages have in common. */
export interface Codec {
  /** Neutral request params to wire: adds the per-request fields where the revision has them. */
  stampRequest(params: UnknownObject, stamp: RequestStamp): UnknownObject;
  /** The JSON text of an encoded result: adds result type and sender where the revision has them. */
  resultText(result: UnknownObject, by: Implementation): string;
  /** Looks at the per-request fields of `_meta`; always passes in handshake revisions. */
  readonly stamp: WireCheck;
  /** Reads the per-request fields of `_meta` after {@link stamp} passed; undefined in handshake revisions. */
  readStamp(params: UnknownObject): RequestStamp | undefined;
  /** Wire result to what row decoders expect: takes the common fields off. */
  unstampResult(result: UnknownObject): UnknownObject;
}

/** Named differences between revisions that are neither a row nor a transform. */
export interface Rules {
  /** Arrays of messages are read. */
  readonly batching: boolean;
  /** How a server reaches its client: by live requests, or by ending the call with questions. */
  readonly serverAsks: 'request' | 'in-result';
  /** What arguments that break a tool's schema become. */
  readonly badToolInput: 'protocol-error' | 'tool-error';
  /** Code for a resource that does not exist. */
  readonly notFoundCode: number;
  /** How log messages are switched on. */
  readonly logging: 'session' | 'request';
  /** Servers that complete arguments declare it. */
  readonly completionsDeclared: boolean;
  /** How a client hears of changes. */
  readonly changes: 'subscribe' | 'listen';
  /**
   * Each request stands alone: it states its revision itself, ending its HTTP exchange cancels it, and one whose exchange
   * broke may be sent again where it only reads.
   */
  readonly standalone: boolean;
  /** Broken HTTP streams can be resumed. */
  readonly resumable: boolean;
  /** A resumable HTTP stream begins with an event that has an id and no message. */
  readonly primedStreams: boolean;
  /** HTTP requests after the handshake name the revision in a header. */
  readonly versionHeader: boolean;
  /** HTTP headers repeat the method and some params of a request. */
  readonly mirroredHeaders: boolean;
  /** Id of an error response to a message whose id could not be read. */
  readonly unreadableId: null | undefined;
  /** Server-side cancellation notifications end listen streams only. */
  readonly serverCancels: 'requests' | 'listen-only';
  /** URL elicitation that blocks a call is the error -32042 rather than a question. */
  readonly urlElicitationError: boolean;
  /** Elicitation by URL carries an id and is completed by a notification. */
  readonly elicitationIds: boolean;
  /** Elicitation and sampling features a client may declare. */
  readonly asks: { readonly elicit: boolean; readonly url: boolean; readonly samplingTools: boolean };
}

/** One published revision of the protocol, resolved once and then passed as an object. */
export interface Revision {
  /** Its date. Compare revisions by identity, never by this string. */
  readonly id: string;
  readonly lifecycle: 'handshake' | 'stateless';
  readonly requests: MethodTable<RequestRow>;
  readonly notifications: MethodTable<NotificationRow>;
  /** What a server may ask of its client, however it is carried. */
  readonly asks: ReadonlyMap<string, RequestRow>;
  readonly codec: Codec;
  readonly rules: Rules;
}
