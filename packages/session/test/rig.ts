import {
  type Answer,
  type Connection,
  type Envelope,
  MetaKey,
  type Receiver,
  type RequestId,
  type Revision,
  revisions,
  type TransportFacts,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { FakeClock } from '../../testing/src/fake-clock.js';
import { Endpoint } from '../src/conversation/endpoint.js';
import { Deadlines } from '../src/limits/deadlines.js';
import { defaultLimits, type SessionBounds } from '../src/limits/limits.js';
import { WorkInFlight } from '../src/limits/work-in-flight.js';
import type { Behaviour, NotificationHandler, RequestHandler } from '../src/requests/behaviour.js';
import type { IncomingRequest } from '../src/requests/incoming-request.js';
import type { Middleware } from '../src/requests/middleware.js';

/** A message as a test looks at it. */
export interface Message {
  readonly id?: RequestId | null;
  readonly method?: string;
  readonly params?: UnknownObject;
  readonly result?: UnknownObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: UnknownObject };
}

/** A transport that records sent frames and delivers the values of a test. */
export class FakeConnection implements Connection {
  readonly facts: TransportFacts = {};
  /** Every frame sent, parsed. */
  readonly sent: (Message & readonly Message[])[] = [];
  readonly envelopes: (Envelope | undefined)[] = [];
  /** Replaces `send` if set. */
  onSend: (() => Promise<void> | undefined) | undefined;
  onClose: (() => Promise<void>) | undefined;
  shared: Connection['shared'];
  closes = 0;
  receiver: Receiver | undefined;

  start(receiver: Receiver): void {
    this.receiver = receiver;
  }

  send(frame: string, envelope?: Envelope): Promise<void> | undefined {
    this.sent.push(JSON.parse(frame));
    this.envelopes.push(envelope);
    return this.onSend?.();
  }

  close(): Promise<void> {
    this.closes++;
    return this.onClose?.() ?? Promise.resolve();
  }

  /** The newest frame sent. */
  get last(): Message & readonly Message[] {
    return this.sent.at(-1) as Message & readonly Message[];
  }
}

/** Options of the endpoint under test. */
export interface RigOptions {
  readonly side?: 'server' | 'client';
  readonly revision?: Revision;
  readonly revisions?: readonly Revision[];
  readonly requests?: Readonly<Record<string, RequestHandler['handle'] | RequestHandler>>;
  readonly notifications?: Readonly<Record<string, NotificationHandler>>;
  readonly middleware?: readonly Middleware[];
  readonly limits?: Partial<SessionBounds>;
  readonly handling?: {
    /** Milliseconds a handler may work. */
    readonly time?: number;
    readonly resultSize?: number;
  };
  readonly onError?: Behaviour['onError'];
  readonly onCancelled?: NonNullable<Behaviour['onCancelled']>;
}

/** One endpoint with a fake transport and a fake clock. */
export class Rig {
  readonly clock = new FakeClock();
  readonly connection = new FakeConnection();
  readonly errors: { readonly error: unknown; readonly where: string }[] = [];
  readonly behaviour: Behaviour;
  readonly endpoint: Endpoint;

  constructor(options: RigOptions = {}) {
    const requests = new Map<string, RequestHandler>();
    for (const [method, handler] of Object.entries(options.requests ?? {})) {
      requests.set(method, typeof handler === 'function' ? { handle: handler } : handler);
    }
    this.behaviour = {
      side: options.side ?? 'server',
      info: { name: 'rig', version: '1' },
      revisions: options.revisions ?? revisions,
      requests,
      middleware: options.middleware ?? [],
      limits: { ...defaultLimits, ...options.limits },
      clock: this.clock,
      ...(options.handling && {
        handling: {
          deadlines: new Deadlines(this.clock, options.handling.time ?? Number.POSITIVE_INFINITY),
          resultSize: options.handling.resultSize ?? Number.POSITIVE_INFINITY,
          work: new WorkInFlight(),
        },
      }),
      ...(options.onCancelled && { onCancelled: options.onCancelled }),
      onError: options.onError ?? ((error, where) => this.errors.push({ error, where })),
    };
    this.endpoint = new Endpoint(this.behaviour, this.connection, {
      ...(options.revision && { revision: options.revision }),
      ...(options.notifications && { notifications: new Map(Object.entries(options.notifications)) }),
    }).start();
  }

  /** Delivers a value. */
  deliver(value: unknown): Answer {
    return this.endpoint.receive(value, this.connection);
  }

  /** Delivers a value and ignores the answer. */
  hand(value: unknown): void {
    void this.deliver(value);
  }

  /** Delivers a value and waits for the answer, parsed. */
  async ask(value: unknown): Promise<Message & readonly Message[]> {
    const answer = await this.deliver(value);
    return answer === undefined ? (undefined as never) : JSON.parse(answer);
  }
}

/** A request as it stands on the wire. */
export function request(id: unknown, method: string, params?: object): object {
  return { jsonrpc: '2.0', id, method, ...(params && { params }) };
}

export function notification(method: string, params?: object): object {
  return { jsonrpc: '2.0', method, ...(params && { params }) };
}

/** A request that states the newest revision. */
export function modern(id: unknown, method: string, params: object = {}): object {
  const _meta = {
    ...('_meta' in params ? (params._meta as object) : undefined),
    [MetaKey.protocolVersion]: revision20260728.id,
    [MetaKey.clientCapabilities]: {},
  };
  return request(id, method, { ...params, _meta });
}

/** A promise with its handles outside. */
export function deferred<T = UnknownObject>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
} {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** A handler of `tools/call` that ends when a test says so, and keeps its requests. */
export class Held {
  readonly requests: IncomingRequest[] = [];
  readonly #ends: ReturnType<typeof deferred<UnknownObject>>[] = [];

  readonly handle = (request: IncomingRequest): Promise<UnknownObject> => {
    this.requests.push(request);
    const end = deferred<UnknownObject>();
    this.#ends.push(end);
    return end.promise;
  };

  finish(index = 0, result: UnknownObject = { content: [] }): void {
    this.#ends[index]?.resolve(result);
  }

  fail(error: unknown, index = 0): void {
    this.#ends[index]?.reject(error);
  }
}

/** Params of a tool call. */
export function call(meta?: object): object {
  return { name: 'x', ...(meta && { _meta: meta }) };
}
