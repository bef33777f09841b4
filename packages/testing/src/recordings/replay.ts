import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Clock, optionRules, requireOptions, systemClock } from '@tenon/foundation';
import type { Dialer } from '@tenon/mcp-client';
import type { MemoryServer } from '@tenon/mcp-client/memory';
import { type Comparison, ComparisonBuilder } from './comparison.js';
import { ReplayError, type Script } from './playback.js';
import { playClient } from './replayed-client.js';
import { ReplayedServer } from './replayed-server.js';
import { readTranscript } from './transcript.js';

/** Options of {@link replay}. */
export interface ReplayOptions {
  /** Names of members that are not compared, at any depth, such as `clientInfo` or `timestamp`. */
  readonly ignore?: readonly string[];
  /** Milliseconds to wait for a recorded message of the server. Default 10,000. */
  readonly patience?: number;
  /** Times the wait. Default: the real clock. */
  readonly clock?: Clock;
}

/** A recorded session, ready to play. */
export interface Replay {
  /**
   * A target for `connect` that plays the server. If a client sends anything else, its connection closes and its calls
   * reject with the difference in their message.
   */
  readonly target: Dialer;
  /**
   * Checks that the client sent all recorded messages and no others.
   * @throws ReplayError with the line and the difference
   */
  verify(): void;
  /** Returns the first problem of each connection that a client opened: the difference, or a recorded message that did not come. */
  problems(): readonly ReplayError[];
  /**
   * Plays the client to a server, one connection after the other, and compares the server's messages. Rejects with a
   * ReplayError that contains the line and the difference.
   */
  check(server: MemoryServer): Promise<void>;
  /**
   * Plays the client to a server as `check` does, but goes on after a difference, and returns all differences. Does not change
   * the file.
   */
  compare(server: MemoryServer): Promise<Comparison>;
}

/**
 * Reads a file written by `record`. On replay, ids, tokens, cursors and sealed state may differ from the recorded ones; a
 * frame may arrive earlier than in the recording; redacted values match anything.
 * @throws SyntaxError with the line that cannot be read, or if the file contains no session; TypeError or RangeError if an
 * option is invalid
 */
export function replay(file: string | URL, options: ReplayOptions = {}): Replay {
  const { object, positive, texts } = optionRules;
  requireOptions('replay', options, { ignore: texts, patience: positive, clock: object });
  const { ignore = [], patience = 10_000, clock = systemClock } = options;
  const name = basename(file instanceof URL ? fileURLToPath(file) : file);
  const text = readFileSync(file, 'utf8');
  const connections = readTranscript(text);
  if (connections.length === 0)
    throw new SyntaxError(`${name} contains no recorded session: "## Connection" is missing.`);
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
            `${name}: the client opened more connections than the ${connections.length} recorded.`,
          );
        }
        const server = new ReplayedServer(scriptOf(steps, 'server'));
        opened.push(server);
        return server;
      },
    },
    problems: () => problemsOf(opened),
    verify() {
      const [problem] = problemsOf(opened);
      if (problem !== undefined) throw problem;
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
    async compare(server) {
      const builder = new ComparisonBuilder(text);
      for (const steps of connections) {
        const comparing = builder.comparing(steps[0]);
        const script = { ...scriptOf(steps, 'client'), comparing };
        await playClient(server, { script, clock, patience, skipped: (step) => builder.remove(step) });
      }
      return builder.build();
    },
  };
}

function problemsOf(opened: readonly ReplayedServer[]): readonly ReplayError[] {
  return opened.flatMap(({ playback }) => {
    const { problem, missing } = playback;
    return problem ?? (missing === undefined ? [] : playback.incomplete(missing));
  });
}
