import type { Connection } from '@tenon/mcp-protocol';
import { detach } from '@tenon/mcp-protocol/internal';
import { memoryPair } from '@tenon/mcp-transport-memory';
import { WrappedConnection } from '../connections/wrapped-connection.js';
import { Playback, type ReplayError, type Script } from './playback.js';

/** A connection to a recorded server. */
export class ReplayedServer extends WrappedConnection {
  readonly playback: Playback;
  #problem: ReplayError | undefined;

  constructor(script: Script) {
    const [near, far] = memoryPair();
    super(near);
    // An error of the connection in memory closes it, and the close reports the error.
    const close = () => detach(far.close(), () => {});
    this.playback = new Playback(script, {
      send: (frame) => detach(far.send(frame), close),
      close,
      diverged: (problem) => {
        this.#problem = problem;
        close();
      },
    });
    far.start({
      receive: (message) => {
        this.playback.receive(message);
        return undefined;
      },
      malformed: (reason) => {
        this.playback.receive(reason);
        return undefined;
      },
      closed: () => {},
    });
  }

  override start(receiver: Parameters<Connection['start']>[0]): void {
    super.start(receiver);
    this.playback.begin();
  }

  // A caller that waits for a response gets the difference as its error.
  protected override closed(reason: Error | undefined): void {
    super.closed(this.#problem ?? reason);
  }
}
