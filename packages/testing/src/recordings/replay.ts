import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Dialer } from '@tenon/mcp-client';
import { type Clock, systemClock } from '@tenon/mcp-session';
import { optionRules, requireOptions } from '@tenon/mcp-session/internal';
import { ReplayError, type Script } from './playback.js';
import { type AcceptingServer, playClient } from './replayed-client.js';
import { ReplayedServer } from './replayed-server.js';
import { readTranscript } from './transcript.js';

/** How a recording is played. */
export interface ReplayOptions {
  /** Names of members that are not compared, wherever they stand, such as `clientInfo` or `timestamp`. */
  readonly ignore?: readonly string[];
  /** Milliseconds to wait for what the server was recorded to say. Default 10,000. */
  readonly patience?: number;
  /** Runs the patience. Default: the real clock. */
  readonly clock?: Clock;
}

/** A recorded session that can be played. */
export interface Replay {
  /**
   * A target for `connect` that plays the server. A client that says anything else loses its connection: its calls reject
   * with the difference in their message.
   */
  readonly target: Dialer;
  /**
   * Makes sure that the client said all that was recorded and nothing else.
   * @throws ReplayError that tells the line and the difference.
   */
  verify(): void;
  /**
   * Plays the client to a server, one connection after the other, and compares what it answers.
   * Rejects with a ReplayError that tells the line and the difference.
   */
  check(server: AcceptingServer): Promise<void>;
}

/**
 * Reads what `record` wrote. On replay, ids, tokens, cursors and sealed state may be others than those recorded; a frame
 * may come earlier than it was recorded; what was redacted stands for anything.
 * @throws SyntaxError naming the line that cannot be read, or for a file in which nothing is recorded; TypeError or
 * RangeError for options that make no sense.
 */
export function replay(file: string | URL, options: ReplayOptions = {}): Replay {
  const { object, positive, texts } = optionRules;
  requireOptions('replay', options, { ignore: texts, patience: positive, clock: object });
  const { ignore = [], patience = 10_000, clock = systemClock } = options;
  const name = basename(file instanceof URL ? fileURLToPath(file) : file);
  const connections = readTranscript(readFileSync(file, 'utf8'));
  if (connections.length === 0)
    throw new SyntaxError(`Nothing is recorded in ${name}: there is no "## Connection".`);
  const scriptOf = (steps: Script['steps'], own: Script['own']): Script => ({
    file: name,
    steps,
    ignore,
    own,
  });
  const opened: ReplayedServer[] = [];
  return {
    target: {
      restartable: connections.length > 1,
      open() {
        const steps = connections[opened.length];
        if (steps === undefined) {
          throw new ReplayError(
            `${name}: a connection is opened, and no more than ${connections.length} were recorded.`,
          );
        }
        const server = new ReplayedServer(scriptOf(steps, 'server'));
        opened.push(server);
        return server;
      },
    },
    verify() {
      for (const { playback } of opened) {
        if (playback.flaw !== undefined) throw playback.flaw;
        if (playback.missing !== undefined) throw playback.incomplete(playback.missing);
      }
      if (opened.length < connections.length) {
        throw new ReplayError(
          `${name}: ${connections.length} connections were recorded, and ${opened.length} opened.`,
        );
      }
    },
    async check(server) {
      for (const steps of connections) {
        await playClient(server, { script: scriptOf(steps, 'client'), clock, patience });
      }
    },
  };
}
