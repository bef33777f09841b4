import type { Connection, Revision } from '@tenon/mcp-protocol';
import { revision20241105 } from '@tenon/mcp-protocol/internal';
import type { Application, SessionEnd } from '@tenon/mcp-transport-http/server';
import { HandClock } from './hand-clock.js';
import { NotedReceiver } from './noted-receiver.js';

/** The server's end of one session, as a test sees it. */
export class NotedEnd implements SessionEnd {
  readonly inFlight = 0;
  readonly connection: Connection;
  readonly receiver = new NotedReceiver();
  /** What ending waits for. */
  finished: Promise<unknown> = Promise.resolve();

  constructor(connection: Connection) {
    this.connection = connection;
    connection.start(this.receiver);
  }

  async close(): Promise<void> {
    await this.finished;
    await this.connection.close();
  }
}

/** A server that knows no methods: a test says what is sent. */
export class NotedApplication implements Application {
  readonly clock: HandClock = new HandClock();
  readonly errors: unknown[] = [];
  readonly revisions: readonly Revision[] = [revision20241105];
  readonly ends: NotedEnd[] = [];

  readonly onError = (error: unknown): void => void this.errors.push(error);

  answer(): string {
    throw new Error('Nothing is answered outside a session.');
  }

  accept(connection: Connection): SessionEnd {
    const end = new NotedEnd(connection);
    this.ends.push(end);
    return end;
  }

  /** The end of the session of that number, counted from 1. */
  end(number = 1): NotedEnd {
    const end = this.ends[number - 1];
    if (end === undefined) throw new RangeError(`There is no session ${number}.`);
    return end;
  }
}
