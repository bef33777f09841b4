import {
  type Answer,
  type Connection,
  type Exchange,
  findRevision,
  type Receiver,
  type RequestId,
  type Revision,
  revisions,
  type ServerEvent,
  type SessionSettings,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { errorFrame, isObject, resultFrame } from '@tenon/mcp-protocol/internal';
import type { Processes } from '@tenon/mcp-state';
import { FakeClock } from '../../testing/src/fake-clock.js';
import type { Application, SessionEnd, SettledSession } from '../src/server/call/application.js';
import { httpStatusOf } from '../src/server/exchange/http-status.js';

/** Answers a request. */
export type Play = (value: UnknownObject, exchange: Exchange, end: FakeEnd | undefined) => Answer;

/** Returns the frame of a result. */
export const result = (value: unknown, members: object = {}): string =>
  resultFrame((value as { id: RequestId }).id, JSON.stringify(members));

/** An application that handles only the handshake. Tests handle everything else. */
export class FakeApplication implements Application {
  readonly clock = new FakeClock();
  readonly errors: { readonly error: unknown; readonly where: string }[] = [];
  readonly revisions: readonly Revision[];
  readonly ends: FakeEnd[] = [];
  /** Every message outside sessions. */
  readonly values: unknown[] = [];
  processes: Processes | undefined;
  /** Decides which messages may be handled again. */
  isRepeatable: (message: unknown) => boolean = () => false;
  /** The revisions that the routes decided. */
  readonly assumed: (Revision | undefined)[] = [];
  play: Play;
  /** Delays the answer to a handshake. */
  handshake: () => Promise<void> | undefined = () => undefined;

  constructor(play: Play = (value) => ('id' in value ? result(value) : undefined), spoken = revisions) {
    this.play = play;
    this.revisions = spoken;
  }

  /** The events of the transport. */
  readonly reported: ServerEvent[] = [];
  readonly events = { active: true, emit: (event: ServerEvent): void => void this.reported.push(event) };

  readonly onError = (error: unknown, where: string): void => void this.errors.push({ error, where });

  get last(): FakeEnd {
    return this.ends.at(-1) as FakeEnd;
  }

  answer(value: unknown, exchange: Exchange): Answer {
    this.values.push(value);
    this.assumed.push(exchange.facts.revision);
    return this.play(value as UnknownObject, exchange, undefined);
  }

  accept(connection: Connection, session?: SettledSession): FakeEnd {
    const end = new FakeEnd(this, connection, session);
    this.ends.push(end);
    connection.start(end);
    if (session !== undefined) connection.settled?.(session.revision, session.peer);
    return end;
  }
}

/** The application's end of one session. */
export class FakeEnd implements SessionEnd, Receiver {
  readonly application: FakeApplication;
  readonly connection: Connection;
  readonly session: SettledSession | undefined;
  readonly values: unknown[] = [];
  readonly exchanges: Exchange[] = [];
  readonly adopted: SessionSettings[] = [];
  misses = 0;
  inFlight = 0;
  closes = 0;
  isClosed = false;
  #drained: (() => void) | undefined;

  constructor(application: FakeApplication, connection: Connection, session: SettledSession | undefined) {
    this.application = application;
    this.connection = connection;
    this.session = session;
  }

  receive(value: unknown, exchange: Exchange): Answer {
    this.values.push(value);
    this.exchanges.push(exchange);
    const answer =
      isObject(value) && value.method === 'initialize'
        ? this.#initialize(value)
        : this.application.play(value as UnknownObject, exchange, this);
    if (!(answer instanceof Promise)) return answer;
    this.inFlight++;
    return answer.finally(() => {
      this.inFlight--;
      if (this.inFlight === 0) this.#drained?.();
    });
  }

  malformed(): undefined {}

  adopt(settings: SessionSettings): void {
    this.adopted.push(settings);
  }

  missed(): void {
    this.misses++;
  }

  closed(): void {
    this.isClosed = true;
  }

  /** Sends a message that belongs to no request. */
  tell(method: string, params: object = {}): void {
    void this.connection.send(JSON.stringify({ jsonrpc: '2.0', method, params }), { unrelated: true });
  }

  async close(): Promise<void> {
    this.closes++;
    if (this.inFlight > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
    await this.connection.close();
    this.isClosed = true;
  }

  #initialize(value: UnknownObject): Answer {
    const params = isObject(value.params) ? value.params : {};
    const revision = findRevision(String(params.protocolVersion));
    if (revision?.lifecycle !== 'handshake' || !('id' in value)) {
      return 'id' in value ? errorFrame(value.id as RequestId, { code: -32602, message: 'no' }) : undefined;
    }
    const open = () => {
      const clientInfo = params.clientInfo as { name: string; version: string };
      this.connection.settled?.(revision, { clientCapabilities: {}, clientInfo });
      return result(value, { protocolVersion: revision.id });
    };
    return this.application.handshake()?.then(open) ?? open();
  }
}

/** Answers with an error, like a server of a stateless revision. */
export function failing(value: unknown, exchange: Exchange, code: number): string {
  exchange.failed?.(code);
  return errorFrame((value as { id: RequestId }).id, { code, message: `status ${httpStatusOf(code)}` });
}
