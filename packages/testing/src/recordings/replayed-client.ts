import { type Clock, detach } from '@tenon/foundation';
import type { MemoryServer } from '@tenon/mcp-client/memory';
import { type Connection, serverPort } from '@tenon/mcp-protocol';
import { memoryPair } from '@tenon/mcp-session/memory';
import { settled } from '../fake-clock.js';
import { type Difference, Playback, ReplayError, type Script } from './playback.js';
import type { Step } from './transcript.js';

/** Options for playing a recorded client. */
interface ClientSettings {
  readonly script: Script;
  readonly clock: Clock;
  /** Milliseconds to wait for a recorded message. */
  readonly patience: number;
  /** Receives each step that did not arrive in a comparison. */
  readonly skipped?: (step: Step) => void;
}

/**
 * Plays a recorded client to a server, to the end. Differences go to the `comparing` of the script; without it, rejects with a
 * {@link ReplayError} at the first difference.
 */
export async function playClient(server: MemoryServer, settings: ClientSettings): Promise<void> {
  const [near, far] = memoryPair();
  server[serverPort].accept(far);
  try {
    const played = new PlayedClient(near, settings);
    await played.run();
    // A server that sends more than was recorded does so now.
    await settled();
    const { problem } = played.playback;
    if (problem !== undefined) throw problem;
  } finally {
    await near.close();
  }
}

class PlayedClient {
  readonly playback: Playback;
  readonly #near: Connection;
  readonly #settings: ClientSettings;
  readonly #over: Promise<void>;
  #end: (error?: unknown) => void = () => {};
  /** Cancels the wait. */
  #cancel: (() => void) | undefined;

  constructor(near: Connection, settings: ClientSettings) {
    this.#near = near;
    this.#settings = settings;
    const { comparing, ...script } = settings.script;
    this.#over = new Promise((resolve, reject) => {
      this.#end = (error) => (error === undefined || comparing !== undefined ? resolve() : reject(error));
    });
    const differs = (difference: Difference) => {
      comparing?.differs(difference);
      this.#reject(difference);
    };
    this.playback = new Playback(
      { ...script, ...(comparing !== undefined && { comparing: { ...comparing, differs } }) },
      {
        send: (frame) => detach(near.send(frame), this.#end),
        close: () => detach(near.close(), this.#end),
        diverged: this.#end,
      },
    );
  }

  async run(): Promise<void> {
    const heard = (message: unknown): undefined => {
      this.playback.receive(message);
      this.#wait();
      return undefined;
    };
    this.#near.start({
      receive: heard,
      malformed: heard,
      closed: () => {
        while (this.#misses('the server ended the connection'));
        this.#end();
      },
    });
    try {
      this.playback.begin();
      this.#wait();
      await this.#over;
    } finally {
      this.#cancel?.();
    }
  }

  /** Waits for the next recorded message; ends if there is none. A check has one time for all messages, a comparison one for each. */
  #wait(): void {
    const { clock, patience, script } = this.#settings;
    const isCheck = script.comparing === undefined;
    if (this.playback.missing === undefined) this.#end();
    else if (!isCheck || this.#cancel === undefined) {
      this.#cancel?.();
      const late = () => {
        if (this.#misses(isCheck ? 'nothing came in time' : `nothing came within ${patience} ms`))
          this.#wait();
      };
      this.#cancel = clock.schedule(late, patience, true);
    }
  }

  /** Goes on without the next recorded message; false if there is none, or if the session ends there. */
  #misses(why: string): boolean {
    const { missing } = this.playback;
    const { script, skipped } = this.#settings;
    if (missing === undefined) return false;
    if (script.comparing === undefined) {
      this.#end(new ReplayError(`${this.playback.incomplete(missing).message}\n  (${why})`));
      return false;
    }
    skipped?.(missing);
    this.playback.skip(missing, why);
    return true;
  }

  /** Answers a request that is not in the recording: the recorded client has no answer, and the server may wait for one. */
  #reject({ kind, came }: Difference): void {
    const { id, method } = (came ?? {}) as { id?: unknown; method?: unknown };
    if (kind !== 'unexpected' || id === undefined || method === undefined) return;
    const error = { code: -32601, message: 'This request is not in the recording that is played.' };
    detach(this.#near.send(JSON.stringify({ jsonrpc: '2.0', id, error })), this.#end);
  }
}
