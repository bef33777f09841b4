import type { Readable, Writable } from 'node:stream';
import { detach, follow, onAbort, systemClock } from '@tenon/foundation';
import { type Answer, type Connection, type Exchange, revisions } from '@tenon/mcp-protocol';
import { type Replay, ReplayError, type ReplayOptions, replay } from '@tenon/mcp-testing/recordings';
import { listenHttp } from '@tenon/mcp-transport-http/node';
import type { Application, SessionEnd } from '@tenon/mcp-transport-http/server';
import { SseMount } from '@tenon/mcp-transport-sse/server';
import { stdioConnection } from '@tenon/mcp-transport-stdio/server';
import { withFile } from './file-lock.js';
import { pageGuard } from './page-requests.js';
import { PlayedSession } from './played-session.js';

/** Options of a recorded server. */
interface ReplayedServerOptions {
  readonly file: string;
  /** Names of members that are not compared, at any depth. */
  readonly ignore?: readonly string[];
}

/** The outcome of a recorded server. */
export interface ReplayOutcome {
  /** The connections that clients opened. */
  readonly connections: number;
  /** The first problem of each connection, with the line and the difference. */
  readonly problems: readonly ReplayError[];
}

/** A recorded server that listens at a port. */
interface ReplayedHttpServer {
  /** The URL for clients: Streamable HTTP at /mcp. HTTP+SSE is at /sse. */
  readonly url: string;
  /** Ends all connections. */
  close(): Promise<ReplayOutcome>;
}

/**
 * Plays the server of a recording to one client over a pair of streams, until either end closes.
 * @throws WorkbenchError `usage` if the file cannot be played
 */
export async function replayStdio(
  options: ReplayedServerOptions & {
    readonly input: Readable;
    readonly output: Writable;
    readonly signal: AbortSignal;
  },
): Promise<ReplayOutcome> {
  const { input, output, signal, ...rest } = options;
  const rounds = new Rounds(rest);
  const connection = stdioConnection({ input, output, maxLineBytes: 64 << 20 });
  const closed = new Promise<void>((resolve) => accept(rounds.open(), connection, resolve));
  onAbort(signal, () => detach(connection.close(), () => {}));
  await closed;
  return rounds.outcome;
}

/**
 * Plays the server of a recording to all clients that connect to a port at 127.0.0.1, each from the beginning. Clients that connect
 * later than the recorded ones begin again with the first recorded connection.
 * @param port - 0 for any free port
 * @throws WorkbenchError `usage` if the file cannot be played; rejects if the port cannot be used
 */
export async function replayHttp(
  options: ReplayedServerOptions & { readonly port: number },
): Promise<ReplayedHttpServer> {
  const { port, ...rest } = options;
  const application = new ReplayedApplication(new Rounds(rest));
  const limits = { bodyBytes: 64 << 20 };
  const serving = await listenHttp(application, {
    port,
    limits,
    guard: pageGuard,
    mounts: [new SseMount(application, { limits })],
  });
  return {
    url: serving.url,
    async close() {
      const { outcome } = application;
      await serving.close();
      return outcome;
    },
  };
}

/** Opens the recorded connections in order, and then from the beginning again. */
class Rounds {
  readonly #open: () => Replay;
  readonly #rounds: Replay[] = [];
  #connections = 0;
  #current: Replay;

  constructor({ file, ...options }: ReplayedServerOptions) {
    this.#open = () => replayOf(file, options);
    this.#current = this.#open();
    // Reports a recording that cannot be played before a client connects.
    withFile(file, () => this.#tryAll(this.#open()));
    this.#rounds.push(this.#current);
  }

  get outcome(): ReplayOutcome {
    return {
      connections: this.#connections,
      problems: this.#rounds.flatMap((round) => round.problems()),
    };
  }

  open(): Connection {
    this.#connections++;
    try {
      return this.#current.target.open() as Connection;
    } catch (error) {
      if (!(error instanceof ReplayError)) throw error;
      this.#current = this.#open();
      this.#rounds.push(this.#current);
      return this.#current.target.open() as Connection;
    }
  }

  #tryAll(all: Replay): void {
    const open = () => all.target.open() as Connection;
    try {
      for (;;) open();
    } catch (error) {
      if (!(error instanceof ReplayError)) throw error;
    }
  }
}

/** The recorded server as the application of an HTTP endpoint. */
class ReplayedApplication implements Application {
  readonly clock = systemClock;
  readonly revisions = revisions;
  readonly #rounds: Rounds;
  #stateless: PlayedSession | undefined;

  constructor(rounds: Rounds) {
    this.#rounds = rounds;
  }

  get outcome(): ReplayOutcome {
    return this.#rounds.outcome;
  }

  onError = (): void => {};

  answer(value: unknown, exchange: Exchange): Answer {
    if (this.#stateless?.fits(value) !== true)
      this.#stateless = new PlayedSession(this.#rounds.open(), undefined);
    return this.#stateless.receive(value, exchange);
  }

  accept(connection: Connection): SessionEnd {
    return accept(this.#rounds.open(), connection, () => {});
  }
}

function accept(played: Connection, connection: Connection, closed: () => void): SessionEnd {
  const session = new PlayedSession(played, connection);
  connection.start({
    receive: (value, exchange) => session.receive(value, exchange),
    malformed: (reason) => session.malformed(reason),
    closed: () => {
      follow(session.close(), closed, closed);
    },
  });
  return {
    get inFlight() {
      return session.inFlight;
    },
    close: () => connection.close(),
  };
}

/** Reads a recording to play. @throws WorkbenchError `usage` */
export function replayOf(file: string, options: ReplayOptions): Replay {
  return withFile(file, () => replay(file, options));
}
