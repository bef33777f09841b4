import type { Clock } from '@tenon/foundation';
import type { Connection } from '@tenon/mcp-protocol';
import { detach } from '@tenon/mcp-protocol/internal';
import { memoryPair } from '@tenon/mcp-transport-memory';
import { settled } from '../fake-clock.js';
import { Playback, ReplayError, type Script } from './playback.js';

/** A server in this process. */
export interface AcceptingServer {
  accept(connection: Connection): unknown;
}

/** Options for playing a recorded client. */
export interface ClientSettings {
  readonly script: Script;
  readonly clock: Clock;
  /** Milliseconds to wait for a recorded message. */
  readonly patience: number;
}

/**
 * Plays a recorded client to a server, to the end. Rejects with a {@link ReplayError} if the server's messages differ from
 * the recording.
 */
export async function playClient(server: AcceptingServer, settings: ClientSettings): Promise<void> {
  const [near, far] = memoryPair();
  server.accept(far);
  try {
    const { playback, over } = playOn(near, settings);
    await over;
    // A server that sends more than was recorded does so now.
    await settled();
    if (playback.problem !== undefined) throw playback.problem;
  } finally {
    await near.close();
  }
}

function playOn(near: Connection, { script, clock, patience }: ClientSettings) {
  let end = (_error?: unknown): void => {};
  const over = new Promise<void>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve() : reject(error));
  });
  const playback = new Playback(script, {
    send: (frame) => detach(near.send(frame), end),
    close: () => detach(near.close(), end),
    diverged: end,
  });
  const cancel = clock.schedule(() => end(problemOf('nothing came in time')), patience, true);
  const heard = (message: unknown): undefined => {
    playback.receive(message);
    if (playback.missing === undefined) end();
    return undefined;
  };
  near.start({
    receive: heard,
    malformed: heard,
    closed: () => end(problemOf('the server ended the connection')),
  });
  playback.begin();
  if (playback.missing === undefined) end();
  return { playback, over: over.finally(cancel) };

  function problemOf(why: string): ReplayError | undefined {
    const { missing } = playback;
    return missing && new ReplayError(`${playback.incomplete(missing).message}\n  (${why})`);
  }
}
