import type { Connection } from '@tenon/mcp-protocol';
import { detach } from '@tenon/mcp-protocol/internal';
import { memoryPair } from '@tenon/mcp-transport-memory';
import { WrappedConnection } from '../wrapped-connection.js';
import { Playback, type ReplayError, type Script } from './playback.js';

/** A connection to a recorded server. */
export class ReplayedServer extends WrappedConnection {
  readonly playback: Playback;
  #flaw: ReplayError | undefined;

  constructor(script: Script) {
    const [near, far] = memoryPair();
    super(near);
    // What fails in this process's memory ends the connection, which tells of it.
    const close = () => detach(far.close(), () => {});
    this.playback = new Playback(script, {
      send: (frame) => detach(far.send(frame), close),
      close,
      diverged: (flaw) => {
        this.#flaw = flaw;
        close();
      },
    });
    far.start({
      receive: (message) => {
        this.playback.hear(message);
        return undefined;
      },
      malformed: (reason) => {
        this.playback.hear(reason);
        return undefined;
      },
      closed: () => {},
    });
  }

  override start(receiver: Parameters<Connection['start']>[0]): void {
    super.start(receiver);
    this.playback.begin();
  }

  // Whoever waits for an answer is told where it went wrong.
  protected override closed(reason: Error | undefined): void {
    super.closed(this.#flaw ?? reason);
  }
}
