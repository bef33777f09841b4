import type { Connection, Revision } from '@tenon/mcp-protocol';
import { revision20241105 } from '@tenon/mcp-protocol/internal';
import type { Processes } from '@tenon/mcp-state';
import type { Application, SessionEnd } from '@tenon/mcp-transport-http/server';
import { Recorder } from '../../../tooling/suite/recorder.js';
import { FakeClock } from '../../testing/src/fake-clock.js';

/** The server's end of one session, for tests. */
export class NotedEnd implements SessionEnd {
  readonly inFlight = 0;
  readonly connection: Connection;
  readonly receiver = new Recorder();
  /** The promise that ending waits for. */
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

/** A server without methods: tests send its messages. */
export class NotedApplication implements Application {
  readonly clock: FakeClock = new FakeClock();
  readonly errors: unknown[] = [];
  readonly revisions: readonly Revision[] = [revision20241105];
  readonly ends: NotedEnd[] = [];
  processes: Processes | undefined;

  readonly onError = (error: unknown): void => void this.errors.push(error);

  answer(): string {
    throw new Error('Nothing is answered outside a session.');
  }

  accept(connection: Connection): SessionEnd {
    const end = new NotedEnd(connection);
    this.ends.push(end);
    return end;
  }

  /** Returns the end of the session with that number, counted from 1. */
  end(number = 1): NotedEnd {
    const end = this.ends[number - 1];
    if (end === undefined) throw new RangeError(`There is no session ${number}.`);
    return end;
  }
}
