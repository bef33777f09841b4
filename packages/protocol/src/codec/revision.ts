import type { WireCheck } from '../json-rpc/check.js';
import type { UnknownObject } from '../json-rpc/json.js';
import type { Implementation } from '../model/annotations.js';
import type { ClientCapabilities } from '../model/capabilities.js';
import type { LogLevel } from '../model/logging.js';
import type { Allowance, Relax } from './relax.js';

/** One end of the protocol. */
export type Side = 'client' | 'server';

/** A result after a leniency was applied. */
export interface Repaired {
  readonly value: UnknownObject;
  readonly allowance: Allowance;
}

/** Applies one leniency to a wire result that did not pass its check; undefined if it does not apply. */
export type Repair = (result: UnknownObject) => Repaired | undefined;

/**
 * A request method of one revision. Transforms are pure, never mutate, and are undefined where nothing changes. Wire
 * params are the neutral ones wherever the check passes, so nothing decodes them.
 */
export interface RequestRow {
  /** Checks wire params; absent params are checked as `{}`. */
  readonly params: WireCheck;
  /** Checks a wire result. */
  readonly result: WireCheck;
  /** Neutral to wire. */
  readonly encodeParams?: ((params: UnknownObject) => UnknownObject) | undefined;
  /** Neutral to wire. */
  readonly encodeResult?: ((result: UnknownObject) => UnknownObject) | undefined;
  /** Wire to neutral, after the check. */
  readonly decodeResult?: ((result: UnknownObject) => UnknownObject) | undefined;
  /** Reads params that do not pass their check; undefined if it changes nothing. */
  readonly relaxParams?: Relax | undefined;
  /** Reads a result that does not pass its check, before its leniencies; undefined if it changes nothing. */
  readonly relaxResult?: Relax | undefined;
  /** Leniencies for a wire result that does not pass the check, which are applied in turn before it is checked again. */
  readonly repairs?: readonly Repair[] | undefined;
  /** True if the call may end with input requests. */
  readonly mayRequestInput?: true | undefined;
  /** True if the request lasts until its sender ends it; the server may cancel it, which it may not do for other requests. */
  readonly lasting?: true | undefined;
  /** The param that the `Mcp-Name` header repeats, in revisions with such headers. */
  readonly named?: string | undefined;
  /** True if the core has no handler of the method, and an extension may implement it. */
  readonly open?: true | undefined;
}

/** A notification method of one revision. */
export interface NotificationRow {
  readonly params: WireCheck;
  /** Reads params that do not pass their check; undefined if it changes nothing. */
  readonly relaxParams?: Relax | undefined;
  /** Neutral to wire. */
  readonly encodeParams?: ((params: UnknownObject) => UnknownObject) | undefined;
  /** True if the core neither sends nor reads the notification, and an extension may. */
  readonly open?: true | undefined;
}

/** Methods by their sender. */
export interface MethodTable<Row> {
  readonly client: ReadonlyMap<string, Row>;
  readonly server: ReadonlyMap<string, Row>;
}

/** The client info, the capabilities and the log level in every request of a stateless revision. */
export interface RequestStamp {
  readonly clientCapabilities: ClientCapabilities;
  readonly clientInfo?: Implementation;
  /** The least severe log level of this request. Absent: no log messages. */
  readonly logLevel?: LogLevel;
}

/** Writes and reads the members that all messages of a revision have in common. */
export interface Codec {
  /** Neutral request params to wire: adds the per-request fields, if the revision has them. */
  stampRequest(params: UnknownObject, stamp: RequestStamp): UnknownObject;
  /** The JSON text of an encoded result: adds the result type and the server info, if the revision has them. */
  resultText(result: UnknownObject, by: Implementation): string;
  /** Checks the per-request fields of `_meta`; always passes in handshake revisions. */
  readonly stamp: WireCheck;
  /** Reads params with per-request fields that do not pass their check; undefined in handshake revisions. */
  readonly relaxStamp?: Relax | undefined;
  /** Reads the per-request fields of `_meta` after {@link stamp} passed; undefined in handshake revisions. */
  readStamp(params: UnknownObject): RequestStamp | undefined;
  /** Wire result to the input of row decoders: removes the common fields. */
  unstampResult(result: UnknownObject): UnknownObject;
}

/** Named differences between revisions that are neither a row nor a transform. */
export interface Rules {
  /** True if arrays of messages are read. */
  readonly batching: boolean;
  /** The form of input requests: live requests, or the result of the call. */
  readonly inputRequestMode: 'request' | 'in-result';
  /** The answer to arguments that do not fit the schema of a tool. */
  readonly badToolInput: 'protocol-error' | 'tool-error';
  /** Code for a resource that does not exist. */
  readonly notFoundCode: number;
  /** The way in which a client enables log messages. */
  readonly logging: 'session' | 'request';
  /** True if servers declare completion as a capability. */
  readonly completionsDeclared: boolean;
  /** The way in which a client is notified of changes. */
  readonly changes: 'subscribe' | 'listen';
  /**
   * True if each request is independent: it has its own revision, closing its HTTP exchange cancels it, and after a broken
   * exchange it may be sent again if it only reads.
   */
  readonly standalone: boolean;
  /** True if broken HTTP streams can be resumed. */
  readonly resumable: boolean;
  /** True if a resumable HTTP stream begins with an event that has an id and no message. */
  readonly primedStreams: boolean;
  /** True if HTTP requests after the handshake have the version header. */
  readonly versionHeader: boolean;
  /** True if HTTP headers repeat the method and some params of a request. */
  readonly mirroredHeaders: boolean;
  /** The id of an error response to a message with an unreadable id. */
  readonly unreadableId: null | undefined;
  /** True if cancellation notifications of a server end listen streams only. */
  readonly serverCancels: 'requests' | 'listen-only';
  /** True if URL elicitation that blocks a call is the error -32042 instead of an input request. */
  readonly urlElicitationError: boolean;
  /** True if elicitation by URL has an id and a notification of its completion. */
  readonly elicitationIds: boolean;
  /** True if the core protocol has tasks, which extensions implement. */
  readonly tasks: boolean;
  /** Elicitation and sampling features a client may declare. */
  readonly inputFeatures: {
    readonly elicit: boolean;
    readonly url: boolean;
    readonly samplingTools: boolean;
  };
}

/** One published revision of the protocol, resolved once and then passed as an object. */
export interface Revision {
  /** Its date. Compare revisions by identity, never by this string. */
  readonly id: string;
  readonly lifecycle: 'handshake' | 'stateless';
  readonly requests: MethodTable<RequestRow>;
  readonly notifications: MethodTable<NotificationRow>;
  /** The kinds of input requests, live or in a result. */
  readonly inputRequests: ReadonlyMap<string, RequestRow>;
  readonly codec: Codec;
  readonly rules: Rules;
}
