import type { RequestStamp, Revision } from '../codec/revision.js';
import type { RequestId, UnreadId, WireError } from '../json-rpc/messages.js';
import type { LogLevel } from '../model/logging.js';
import type { Principal } from './principal.js';

/** Facts of one inbound message that the transport knows. All members are absent on stdio and in memory. */
export interface TransportFacts {
  /** The value of the version header, if the transport has headers. */
  readonly protocolVersion?: string | undefined;
  /** The revision of the message, if the transport decided it before the message is read. */
  readonly revision?: Revision | undefined;
  /** The authenticated caller. */
  readonly principal?: Principal | undefined;
  /** True if the transport can authenticate callers and did not authenticate this one, which therefore has no scopes. */
  readonly anonymous?: boolean | undefined;
  /** The name of the transport, for logs. */
  readonly transport?: string | undefined;
  /** The origin of the message, such as a network address. It identifies callers that are not authenticated. */
  readonly remoteAddress?: string | undefined;
  /** Returns a request header by its lower-case name. Call it as a method of this object. */
  header?(name: string): string | undefined;
  /** True if only the answer reaches the sender: no progress, no input requests. */
  readonly answersOnly?: boolean;
}

/** The limits of handlers that run at the same time at one server. */
export interface WorkBounds {
  /** Running handlers of all callers. */
  readonly total: number;
  /** Running handlers of the caller that sent the request. */
  readonly perCaller: number;
}

/**
 * The return channel of one inbound message and everything that belongs to it: an HTTP POST and its stream, or a whole
 * duplex channel. A frame that is sent before the answer makes an HTTP exchange a stream.
 */
export interface Exchange {
  readonly facts: TransportFacts;
  /** Limits of the work in flight. Absent if the connection has one caller, and its own limit is enough. */
  readonly bounds?: WorkBounds | undefined;
  /**
   * The name under which work in flight is counted, made of the principal or of the network address. Undefined
   * if neither is known: then the connection is the caller.
   */
  readonly caller?: string | undefined;
  /** True if the answer can no longer be delivered, which cancels the request. */
  readonly gone?: boolean;
  /** Aborts when {@link gone} becomes true; created when it is first read. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Sends one frame ahead of the answer.
   * @returns undefined if the transport accepts more at once, else a promise that resolves when it does.
   */
  send(frame: string): Promise<void> | undefined;
  /**
   * Closes the HTTP connection of this exchange without ending the exchange: the client reconnects for the rest
   * after so many milliseconds. Absent if the transport does not support it.
   */
  release?(retry: number | undefined): void;
  /**
   * Runs `task` when the transport is about to close; the returned function removes the task. Absent if the exchange
   * is a whole connection, which reports its end itself.
   */
  onEnding?(task: () => void): () => void;
  /** Set if another process ran the handler before, until its process ended. */
  readonly history?: CallHistory | undefined;
  /**
   * Receives the state of the call each time that an input request is sent or answered, before the handler goes on. Absent if no
   * other process could continue the call. Does not reject.
   * @returns false if another process continues the call: its handler must not go on here.
   */
  readonly suspend?: ((call: SuspendedCall) => Promise<boolean>) | undefined;
  /** Receives the HTTP status of a message that is rejected before it reaches a handler. Called before the answer, if there is one. */
  refused?(status: number): void;
  /**
   * Receives the code of an error that is about to be sent as the answer.
   * @param wait - milliseconds after which the peer may try again, if the error has them.
   */
  failed?(code: number, wait?: number): void;
  /** Receives the required scopes of a request that is about to be rejected for missing scopes. */
  scopesLacking?(scopes: readonly string[]): void;
}

/** Facts of an outbound frame for the transport, which never reads method names. */
export interface Envelope {
  /** Id of the request in this frame: the transport delivers its answer to the receiver. */
  readonly id?: RequestId;
  /** Ids of the requests in a frame that holds several. */
  readonly ids?: readonly RequestId[];
  /** Headers for transports that have them, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** True if a server's frame belongs to no exchange. It is resumable, or dropped if no client listens. */
  readonly unrelated?: boolean;
  /** True if the request in this frame opens a session: facts of an earlier session are not sent with it. */
  readonly opening?: boolean;
}

/** The answer to an input request, as the client sent it. */
export type ClientAnswer = { readonly result: unknown } | { readonly error: WireError };

/** The answers and steps of a call, so that another process can run its handler again to the same point. JSON. */
export interface CallHistory {
  /** The answers to input requests, by key. */
  readonly answers: Readonly<Record<string, ClientAnswer>>;
  /** The values of the steps that run once, by key. */
  readonly steps: Readonly<Record<string, { readonly value?: unknown }>>;
}

/** A call that waits for input, or goes on with the answers. JSON. */
export interface SuspendedCall extends CallHistory {
  /** The keys of the input requests without an answer, by the id of the request. Empty: the handler goes on. */
  readonly waiting: Readonly<Record<string, string>>;
}

/** The settings of a session that its client makes. In a session that several processes serve, all of them have it. */
export interface SessionSettings {
  readonly logLevel?: LogLevel | undefined;
  /** URIs of the resources that the client has subscribed to. */
  readonly subscriptions?: readonly string[] | undefined;
}

/** The part of a connection that only sessions need which several processes may serve. */
export interface SharedSessionPort {
  /** The beginning of the ids of all requests that this end sends on the connection: another process may receive their answers. */
  readonly idPrefix: string;
  /** True if another process sends the messages of the session that belong to no request. Read it for each message. */
  readonly isServedElsewhere: boolean;
  /**
   * True while the client has no stream for messages that belong to no request. Such messages are kept for a later stream, at the cost
   * of shared state. Read it for each message.
   */
  readonly lacksStream: boolean;
  /**
   * Stores the settings that the client has made, for all processes that serve the session, and has the receiving end adopt them.
   * @param change - returns the new settings; called again if another process has changed them meanwhile. It may throw.
   */
  saveSettings(change: (settings: SessionSettings) => SessionSettings): Promise<void>;
}

/** A transport between two ends, until it closes; also the exchange of every message of a duplex channel. */
export interface Connection extends Exchange {
  /** True if the other end does not always listen, so that its silence means nothing. */
  readonly intermittent?: boolean;
  /** The id of the session, the same in all processes that serve it. Absent if the transport has no sessions. */
  readonly session?: string | undefined;
  /** The port of a session that several processes may serve. Absent if one process serves it. */
  readonly shared?: SharedSessionPort | undefined;
  /** True if only handshake revisions work on this connection. */
  readonly needsHandshake?: boolean;
  /** True if the connection ends with the answer to the handshake. */
  readonly opensNoSession?: boolean;
  /** True if frames need {@link Envelope.headers}, in revisions that have such headers. */
  readonly carriesHeaders?: boolean;
  /** The last lines that the peer printed beside its messages, oldest first, for error texts. Absent if a peer cannot print. */
  readonly stderr?: readonly string[];
  /** Lines that the peer printed in place of its first message, oldest first, for error texts. Absent if a peer cannot print. */
  readonly strayLines?: readonly string[];
  /** Starts the delivery. Called once; earlier frames are delivered then. */
  start(receiver: Receiver): void;
  send(frame: string, envelope?: Envelope): Promise<void> | undefined;
  /**
   * Receives the negotiated revision.
   * @param peer - the client info and capabilities of the handshake, at a server.
   */
  settled?(revision: Revision, peer: RequestStamp): void;
  /**
   * Calls `listener` whenever messages that belong to no request may have been lost, while the connection stays open. Absent
   * if that cannot happen.
   */
  onMissed?(listener: () => void): void;
  /**
   * Calls `listener` with the failure if the peer cannot be reached while the connection stays open, and with undefined when the
   * peer can be reached again. Absent if the connection closes instead.
   */
  onReachable?(listener: (failure: Error | undefined) => void): void;
  /**
   * Cancels a request, if the transport itself can notify the peer.
   * @returns false if it cannot, and a cancellation notification must be sent.
   */
  cancel?(id: RequestId): boolean;
  /** Closes the transport after all frames have been sent. Safe to call twice. */
  close(): Promise<void>;
}

/** The final frame of an inbound message, if there is one. A string needs no turn of the event loop. */
export type Answer = string | undefined | Promise<string | undefined>;

/** The end of a connection that receives the messages. */
export interface Receiver {
  /** Receives one parsed JSON value. Never throws; a returned promise never rejects. */
  receive(value: unknown, exchange: Exchange): Answer;
  /**
   * Reports bytes that are not a JSON value, such as a broken or too long line.
   * @param unread - the id and the kind of a message that exceeds a limit, if they are known.
   */
  malformed(reason: string, exchange: Exchange, unread?: UnreadId): Answer;
  /** Receives an error inside the transport that is reported nowhere else; the connection stays open. Must not throw. */
  onError?(error: unknown, where: string): void;
  /** Called if a sent message waits for this end, perhaps for the user: the silence of the peer is not its fault meanwhile. */
  waitsFor?(step: Promise<unknown>): void;
  /** Called once when the transport has closed; nothing is delivered afterwards. */
  closed(reason?: Error): void;
}
