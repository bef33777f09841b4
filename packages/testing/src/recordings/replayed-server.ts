import { detach } from '@tenon/foundation';
import { type Connection, ErrorCode, type RequestId } from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import { memoryPair } from '@tenon/mcp-session/memory';
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
    const hasHandshake =
      methodOf(script.steps.find(({ from }) => from === 'client')?.message) === 'initialize';
    far.start({
      receive: (message) => {
        const probe = hasHandshake ? probeId(message) : undefined;
        if (probe === undefined) this.playback.receive(message);
        else detach(far.send(JSON.stringify(unknownMethod(probe))), close);
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

/** Returns the id of a request that probes for the revision without a handshake. A recording that begins with a handshake rejects it. */
function probeId(message: unknown): RequestId | undefined {
  return methodOf(message) === 'server/discover' ? (message as { id?: RequestId }).id : undefined;
}

function methodOf(message: unknown): unknown {
  return isObject(message) ? message.method : undefined;
}

function unknownMethod(id: RequestId): object {
  return { jsonrpc: '2.0', id, error: { code: ErrorCode.methodNotFound, message: 'Method not found' } };
}
