import type { RequestId } from './json-rpc.js';
import type { Principal } from './principal.js';
import type { RequestStamp, Revision } from './revision.js';
import type { UnreadId } from './unread-id.js';

/** What a carrier knows of one inbound message besides its bytes. All members are absent on stdio and in memory. */
export interface CarrierFacts {
  /** The revision a header names, where the carrier has headers. */
  readonly protocolVersion?: string | undefined;
  /** The revision of the message, where the transport has it from the edge before the message is read. */
  readonly revision?: Revision | undefined;
  /** The authenticated caller. */
  readonly principal?: Principal | undefined;
  /** The carrier asks who is calling, and this caller did not say: he has no scopes. */
  readonly anonymous?: boolean;
  /** Where the message comes from, such as a network address: what those have in common whose caller is not known. */
  readonly remoteAddress?: string | undefined;
  /** Reads a request header by its lower-case name. Call it on the object it belongs to. */
  header?(name: string): string | undefined;
  /** Nothing but the answer reaches the sender: it hears no progress and cannot be asked. */
  readonly answersOnly?: boolean;
}

/** How many handlers of a server may be at work at the same time, for a request to be handled. */
export interface WorkBounds {
  /** Handlers of all callers. */
  readonly total: number;
  /** Handlers of the caller that sent the request. */
  readonly perCaller: number;
}

/**
 * The way back for one inbound message and all that belongs to it: an HTTP POST and its stream, or a whole
 * duplex channel. Whatever is sent here before the answer makes an HTTP exchange a stream.
 */
export interface Exchange {
  readonly facts: CarrierFacts;
  /** Bounds of the work in flight. Absent where the connection has one caller, and its own bound is enough. */
  readonly bounds?: WorkBounds | undefined;
  /**
   * The name that work in flight is counted under, such as one made of the principal or of the network address. Undefined
   * where neither is known: then the connection is the caller.
   */
  readonly caller?: string | undefined;
  /** True once nobody can receive the answer any more and that means the request is cancelled. */
  readonly gone?: boolean;
  /** Aborts when {@link gone} becomes true; made when it is first read. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Sends one frame ahead of the answer.
   * @returns undefined when the carrier takes more at once, else a promise that resolves when it does.
   */
  send(frame: string): Promise<void> | undefined;
  /**
   * Lets go of the HTTP connection of this exchange without ending the exchange: the other end comes back for the rest,
   * after so many milliseconds. Absent where that cannot be.
   */
  release?(retry: number | undefined): void;
  /**
   * Runs `task` when the carrier is about to end; the function returned takes it out again. Absent where the exchange
   * is a whole connection, whose end is known there.
   */
  onEnding?(task: () => void): () => void;
  /** Told the HTTP status of a message that is refused before any handler sees it, ahead of the answer if there is one. */
  refused?(status: number): void;
  /**
   * Told the code of an error that is about to be the answer to a request.
   * @param wait - milliseconds after which the peer may try again, where the error says so.
   */
  failed?(code: number, wait?: number): void;
  /** Told that the answer is about to be that the caller's scopes do not suffice, ahead of it. */
  scopesLacking?(scopes: readonly string[]): void;
}

/** What a carrier may need to know of an outbound frame; method names never reach it. */
export interface Envelope {
  /** Id of the request in this frame: the carrier delivers its answer to the receiver. */
  readonly id?: RequestId;
  /** Ids of the requests in a frame that holds several. */
  readonly ids?: readonly RequestId[];
  /** Headers for carriers that have them, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where a server's frame belongs to no exchange of its own: resumable, or dropped when nobody listens. */
  readonly unrelated?: boolean;
  /** The request in this frame opens a session: what is known of an earlier one does not go with it. */
  readonly opening?: boolean;
}

/** A carrier between two ends for as long as it lasts; also the exchange of every message of a duplex channel. */
export interface Connection extends Exchange {
  /** The other end is not always listening: that it is silent says nothing. */
  readonly intermittent?: boolean;
  /** Only revisions with a handshake can be spoken on it. */
  readonly needsHandshake?: boolean;
  /** It ends with the answer to the handshake: nothing is sent on it later. */
  readonly opensNoSession?: boolean;
  /** Frames are to come with {@link Envelope.headers}, where their revision has any. */
  readonly carriesHeaders?: boolean;
  /** Begins delivery. Called once; frames that arrived before are delivered then. */
  start(receiver: Receiver): void;
  send(frame: string, envelope?: Envelope): Promise<void> | undefined;
  /**
   * Told which revision is spoken from now on.
   * @param peer - what the other end said of itself in the handshake, at a server.
   */
  settled?(revision: Revision, peer: RequestStamp): void;
  /**
   * Calls `listener` whenever messages that belong to no request may have been lost, though the connection goes on. Absent
   * where that cannot be.
   */
  onMissed?(listener: () => void): void;
  /**
   * Gives up waiting for the answer to a request, where the carrier has a way of its own to tell the peer.
   * @returns false when it has none and a cancellation notification must be sent.
   */
  cancel?(id: RequestId): boolean;
  /** Ends the carrier after what was sent has left. Safe to call twice. */
  close(): Promise<void>;
}

/** The final frame of an inbound message, if it has one. A string needs no turn of the event loop. */
export type Answer = string | undefined | Promise<string | undefined>;

/** The end of a connection that messages are delivered to. */
export interface Receiver {
  /** Takes one parsed JSON value. Never throws; a returned promise never rejects. */
  receive(value: unknown, exchange: Exchange): Answer;
  /**
   * Takes bytes that were not a JSON value, such as a broken or over-long line.
   * @param unread - which message they are, where they are past a bound and that is known all the same.
   */
  malformed(reason: string, exchange: Exchange, unread?: UnreadId): Answer;
  /** Told of an error inside the transport that nothing else tells of; the connection goes on. Must not throw. */
  onError?(error: unknown, where: string): void;
  /** Told that what was sent waits for this end, perhaps for a person: the peer is not to blame for its silence meanwhile. */
  waitsFor?(step: Promise<unknown>): void;
  /** Called once when the carrier has ended; nothing is delivered afterwards. */
  closed(reason?: Error): void;
}
