import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Where a server can be reached. */
export interface Addresses {
  /** By streamable HTTP. */
  readonly url: string;
  /** By HTTP+SSE. */
  readonly sse: string;
}

/** A server in a process of its own. */
export interface ServerProcess {
  readonly addresses: Addresses;
  /** Ends it, and resolves once it has. */
  readonly stop: () => Promise<void>;
}

/** Milliseconds for a server to end when told to. */
const patience = 2_000;

/**
 * Starts a server that says as one line of JSON where it listens. Rejects when it ends before. It ends with this process.
 * @param onError - hears each line of its stderr.
 */
export async function startServer(
  script: string,
  args: readonly string[],
  onError: (line: string) => void,
): Promise<ServerProcess> {
  // By the channel the server learns when this process is gone, however that came about.
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
  const said = once(createInterface({ input: stdout }), 'line');
  const first = await Promise.race([said, gone.then(() => undefined)]);
  if (first === undefined) throw new Error('the server ended before it listened');
  return { addresses: JSON.parse(String(first[0])), stop };
}
