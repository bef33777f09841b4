import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** The addresses of a server. */
export interface Addresses {
  /** Streamable HTTP. */
  readonly url: string;
  /** HTTP+SSE. */
  readonly sse: string;
}

/** A server in a process of its own. */
export interface ServerProcess {
  readonly addresses: Addresses;
  /** Ends it, and resolves when it has ended. */
  readonly stop: () => Promise<void>;
}

/** Milliseconds that a server has to end. */
const patience = 2_000;

/**
 * Starts a server that prints its addresses as one line of JSON. Rejects if it ends before. It ends with this process.
 * @param onError - called with each line of its stderr.
 */
export async function startServer(
  script: string,
  args: readonly string[],
  onError: (line: string) => void,
): Promise<ServerProcess> {
  // The server ends when the IPC channel closes, even if this process is killed.
  const child = fork(script, [...args], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] });
  const [stdout, stderr] = [child.stdout, child.stderr] as [Readable, Readable];
  const gone = once(child, 'close');
  createInterface({ input: stderr }).on('line', onError);
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), patience);
    await gone;
    clearTimeout(timer);
  };
  const textOfResult = once(createInterface({ input: stdout }), 'line');
  const first = await Promise.race([textOfResult, gone.then(() => undefined)]);
  if (first === undefined) throw new Error('The server ended before it was listening.');
  return { addresses: JSON.parse(String(first[0])), stop };
}
