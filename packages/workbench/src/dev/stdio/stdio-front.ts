import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { detach, otherBounds, systemClock, withinTime } from '@tenon/foundation';
import { type Connection, ErrorCode, MetaKey, type RequestId } from '@tenon/mcp-protocol';
import { errorFrame, isObject, isRequestId } from '@tenon/mcp-protocol/internal';
import { stdioConnection } from '@tenon/mcp-transport-stdio/client';
import { CallTrace, isLasting, type OpenCall, type WireMessage } from '../call-trace.js';
import { type ListChange, readSnapshot } from '../lists/list-snapshot.js';
import { HeldError } from '../supervisor/child-gate.js';
import type { DevChild } from '../supervisor/dev-child.js';
import type { DevFront, FrontParts } from '../supervisor/dev-front.js';
import { ChildPeer } from './child-peer.js';
import { SessionMemory } from './session-memory.js';

/** A request of the client without an answer. */
interface OpenRequest {
  readonly message: WireMessage;
  readonly call: OpenCall;
  /** The child that works on it; undefined while it waits for one. */
  peer: ChildPeer | undefined;
  /** True for a listen stream that the client knows to be open. */
  acknowledged: boolean;
  settle(frame: string | undefined): void;
}

/** Requests and input requests without an answer. */
const mostOpen = 10_000;

/** Relays the messages of one client over stdio to the child that serves now. */
export class StdioFront implements DevFront {
  readonly url: undefined = undefined;
  readonly #parts: FrontParts;
  readonly #streams: { readonly input: Readable; readonly output: Writable };
  readonly #trace: CallTrace;
  readonly #memory = new SessionMemory();
  readonly #peers = new Map<DevChild, ChildPeer>();
  readonly #open = new Map<RequestId, OpenRequest>();
  /** Requests of children to the client, by the id that the client sees. */
  readonly #inputs = new Map<number, { readonly peer: ChildPeer; readonly id: unknown }>();
  #client: Connection | undefined;
  #nextInput = 1;
  #watchers = new Set<() => void>();

  constructor(parts: FrontParts, streams?: { readonly input: Readable; readonly output: Writable }) {
    this.#parts = parts;
    this.#trace = new CallTrace(parts.emit);
    this.#streams = streams ?? { input: process.stdin, output: process.stdout };
  }

  async open(): Promise<void> {
    const { holdTime, callTime } = this.#parts.bounds;
    const { input, output } = this.#streams;
    this.#client = stdioConnection({
      input,
      output,
      ...otherBounds({ endGraceMs: holdTime + callTime }),
      readWhileBlocked: true,
    });
    // A client that has closed its side waits for answers only, and a listen stream has none.
    input.once('end', () => {
      for (const one of this.#open.values()) if (isLasting(one.message)) this.#settle(one, undefined);
    });
    this.#client.start({
      receive: (value) => this.#fromClient(value),
      malformed: (reason) => errorFrame(null, { code: ErrorCode.parseError, message: reason }),
      closed: () => this.#parts.onGone(),
    });
  }

  async adopt(child: DevChild): Promise<void> {
    const peer = new ChildPeer(
      child,
      (from, message) => this.#fromChild(from, message),
      (line) => this.#parts.emit({ type: 'output', line }),
    );
    this.#peers.set(child, peer);
    for (const one of this.#open.values())
      if (one.message.method === 'initialize' && one.peer !== undefined) this.#deliver(one, peer);
    await this.#introduce(peer);
    for (const one of this.#open.values())
      if (isLasting(one.message) && one.peer !== undefined) this.#deliver(one, peer);
  }

  forget(child: DevChild): void {
    this.#peers.delete(child);
  }

  /** Notifies the client. The child may not have read the messages yet that make the client its listener. */
  async announce(_: DevChild, changes: readonly ListChange[]): Promise<void> {
    for (const { list } of changes) {
      const method = `notifications/${list}/list_changed`;
      if (this.#memory.handshake !== undefined) this.#toClient({ jsonrpc: '2.0', method });
      for (const { message } of this.#open.values()) {
        const { notifications } = Object(message.params);
        if (!isLasting(message) || Object(notifications)[`${list}ListChanged`] !== true) continue;
        const params = { _meta: { [MetaKey.subscriptionId]: message.id } };
        this.#toClient({ jsonrpc: '2.0', method, params });
      }
    }
  }

  async drain(child: DevChild): Promise<void> {
    const peer = this.#peers.get(child);
    await withinTime(this.#idle(peer), { clock: systemClock, ms: this.#parts.bounds.callTime, holds: true });
    if (peer !== undefined) this.#abandon(peer, 'The server was reloaded before the call ended.');
    this.#peers.delete(child);
  }

  lost(child: DevChild): void {
    const peer = this.#peers.get(child);
    if (peer !== undefined) this.#abandon(peer, 'The server ended before it answered.');
    this.#peers.delete(child);
  }

  async close(): Promise<void> {
    for (const one of this.#open.values()) {
      const error = { code: ErrorCode.internalError, message: 'The development server was stopped.' };
      const { id } = one.message;
      this.#settle(one, isLasting(one.message) ? undefined : errorFrame(id as RequestId, error));
    }
    await this.#client?.close();
  }

  /** Repeats what the client has told earlier children. */
  async #introduce(peer: ChildPeer): Promise<void> {
    const { startTime } = this.#parts.bounds;
    const { handshake } = this.#memory;
    if (handshake !== undefined) {
      await peer.request('initialize', Object(handshake), startTime);
      if (this.#memory.isConfirmed) peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      for (const { method, params } of this.#memory.settings()) {
        // A resource may be gone, and the client cannot help it.
        await peer.request(method, params, startTime).catch(() => {});
      }
    }
    if (!peer.child.reports) await this.#readLists(peer);
  }

  /** Reads the lists of a child that does not report them. */
  async #readLists(peer: ChildPeer): Promise<void> {
    const { handshake, isConfirmed, stamp } = this.#memory;
    if (!(handshake !== undefined && isConfirmed) && stamp === undefined) return;
    const meta = handshake === undefined ? { _meta: stamp } : {};
    peer.child.lists = await readSnapshot((method, params) =>
      peer.request(method, { ...params, ...meta }, this.#parts.bounds.startTime),
    );
  }

  #fromClient(value: unknown): Promise<string | undefined> | string | undefined {
    if (Array.isArray(value)) return this.#batch(value);
    if (!isObject(value)) {
      return errorFrame(null, { code: ErrorCode.invalidRequest, message: 'A message must be an object.' });
    }
    if (typeof value.method !== 'string') this.#answerInput(value);
    else if (isRequestId(value.id)) return this.#request(value);
    else this.#notify(value);
    return undefined;
  }

  async #batch(values: readonly unknown[]): Promise<string | undefined> {
    if (values.length === 0)
      return errorFrame(null, { code: ErrorCode.invalidRequest, message: 'A batch must not be empty.' });
    const answers = await Promise.all(
      values.map((value) => (Array.isArray(value) ? undefined : this.#fromClient(value))),
    );
    const frames = answers.filter((frame) => frame !== undefined);
    return frames.length === 0 ? undefined : `[${frames.join(',')}]`;
  }

  #request(message: WireMessage): Promise<string | undefined> {
    const id = message.id as RequestId;
    if (this.#open.has(id) || this.#open.size >= mostOpen) {
      const problem = this.#open.has(id)
        ? 'A request with this id is running.'
        : 'Too many requests are running.';
      return Promise.resolve(errorFrame(id, { code: ErrorCode.invalidRequest, message: problem }));
    }
    this.#memory.sees(message);
    return new Promise((settle) => {
      const call = this.#trace.begin(message, this.#memory.client);
      const open: OpenRequest = { message, call, peer: undefined, acknowledged: false, settle };
      this.#open.set(id, open);
      this.#withPeer(
        (peer) => {
          if (this.#open.get(id) === open) this.#deliver(open, peer);
        },
        (error) => {
          if (error instanceof HeldError) open.call.reject(error.message);
          this.#fail(open, error.message);
        },
      );
    });
  }

  #notify(message: WireMessage): void {
    if (message.method === 'notifications/initialized') this.#memory.isConfirmed = true;
    if (message.method === 'notifications/cancelled') {
      const open = this.#open.get(Object(message.params).requestId);
      if (open === undefined) return;
      open.peer?.send(message);
      open.call.cancel(Object(message.params).reason);
      this.#settle(open, undefined);
      return;
    }
    this.#withPeer(
      (peer) => {
        peer.send(message);
        if (message.method === 'notifications/initialized' && !peer.child.reports)
          detach(this.#readLists(peer), () => {});
      },
      () => {},
    );
  }

  #answerInput(message: WireMessage): void {
    const input = this.#inputs.get(message.id as number);
    if (input === undefined) return;
    this.#inputs.delete(message.id as number);
    input.peer.send({ ...message, id: input.id });
  }

  #fromChild(peer: ChildPeer, message: WireMessage): void {
    if (typeof message.method !== 'string') this.#answer(peer, message);
    else if (message.id !== undefined) this.#relayInput(peer, message);
    else this.#relayNotification(peer, message);
  }

  #answer(peer: ChildPeer, message: WireMessage): void {
    const open = this.#open.get(message.id as RequestId);
    // The earlier child has ended a listen stream that the next one continues.
    if (open === undefined || open.peer !== peer) return;
    if (isLasting(open.message) && peer.child.stopping) return;
    if (message.error === undefined) this.#memory.accepts(open.message);
    const isFirst = open.message.method === 'initialize' && !peer.child.reports;
    open.call.end(message);
    this.#settle(open, JSON.stringify(isFirst ? withListChanged(message) : message));
  }

  #relayInput(peer: ChildPeer, message: WireMessage): void {
    if (this.#inputs.size >= mostOpen) return;
    const id = this.#nextInput++;
    this.#inputs.set(id, { peer, id: message.id });
    if (message.method !== 'ping') this.#trace.note(message, this.#memory.client);
    this.#toClient({ ...message, id });
  }

  #relayNotification(peer: ChildPeer, message: WireMessage): void {
    const isCurrent = peer.child === this.#parts.gate.child;
    const params = Object(message.params);
    if (message.method === 'notifications/cancelled') {
      for (const [id, input] of this.#inputs)
        if (input.peer === peer && input.id === params.requestId) this.#cancelInput(id, params.reason);
      return;
    }
    if (message.method === 'notifications/subscriptions/acknowledged') {
      const open = this.#open.get(Object(params._meta)[MetaKey.subscriptionId]);
      if (open?.acknowledged !== false) return;
      open.acknowledged = true;
    }
    this.#trace.note(message, this.#memory.client);
    // Lists and resources are those of the child that serves now.
    if (
      isCurrent ||
      /^notifications\/(?:progress|message|subscriptions\/acknowledged)$/.test(String(message.method))
    )
      this.#toClient(message);
  }

  #cancelInput(requestId: number, reason: unknown): void {
    this.#inputs.delete(requestId);
    this.#toClient({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } });
  }

  /** Answers everything that a child leaves open. Listen streams wait for the next child. */
  #abandon(peer: ChildPeer, reason: string): void {
    for (const [id, input] of this.#inputs) if (input.peer === peer) this.#cancelInput(id, reason);
    for (const open of this.#open.values())
      if (open.peer === peer && !isLasting(open.message))
        this.#fail(open, `${reason} Send the request again.`);
  }

  #deliver(open: OpenRequest, peer: ChildPeer): void {
    open.peer = peer;
    peer.send(open.message);
  }

  #fail(open: OpenRequest, message: string): void {
    const error = { code: ErrorCode.internalError, message };
    open.call.end({ error });
    this.#settle(open, errorFrame(open.message.id as RequestId, error));
  }

  #settle(open: OpenRequest, frame: string | undefined): void {
    this.#open.delete(open.message.id as RequestId);
    open.settle(frame);
    for (const check of this.#watchers) check();
  }

  /** Resolves when a child has no calls. */
  #idle(peer: ChildPeer | undefined): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        for (const open of this.#open.values()) if (open.peer === peer && !isLasting(open.message)) return;
        this.#watchers.delete(check);
        resolve();
      };
      this.#watchers.add(check);
      check();
    });
  }

  /** Calls a function with the child that serves, now if there is one. */
  #withPeer(use: (peer: ChildPeer) => void, failed: (error: Error) => void): void {
    const child = this.#parts.gate.wait();
    const found = (one: DevChild) => {
      const peer = this.#peers.get(one);
      if (peer === undefined) failed(new Error('The server ended before it answered.'));
      else use(peer);
    };
    if (child instanceof Promise) child.then(found).catch(failed);
    else found(child);
  }

  #toClient(message: object): void {
    detach(this.#client?.send(JSON.stringify(message)), () => {});
  }
}

/** Returns the answer to a handshake with the notifications that this program sends for the server. */
function withListChanged(message: WireMessage): WireMessage {
  if (!isObject(message.result)) return message;
  const { capabilities, ...result } = message.result;
  const declared = { ...Object(capabilities) };
  for (const list of ['tools', 'prompts', 'resources'])
    if (isObject(declared[list])) declared[list] = { ...declared[list], listChanged: true };
  return { ...message, result: { ...result, capabilities: declared } };
}
