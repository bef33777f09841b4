// The servers of the comparison.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const everything = fileURLToPath(new URL('../../apps/everything-server/dist/main.js', import.meta.url));
const oneRevision = fileURLToPath(new URL('./one-revision-server.js', import.meta.url));

/** Commands of servers over stdio. */
export const commands = {
  everything: [process.execPath, everything, '--stdio'],
  newest: [process.execPath, oneRevision, '2026-07-28'],
  oldest: [process.execPath, oneRevision, '2024-11-05'],
};

/**
 * Starts the everything server over HTTP and HTTP+SSE.
 *
 * @returns {Promise<{ url: string, sse: string, end: () => Promise<void> }>}
 */
export async function serveEverything() {
  const child = spawn(process.execPath, [everything, '--http', '0', '--sse'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([
    once(lines, 'line'),
    closed.then(() => {
      throw new Error('The everything server did not start.');
    }),
  ]);
  const { url, sse } = JSON.parse(line);
  const end = async () => {
    child.kill('SIGTERM');
    await closed;
  };
  return { url, sse, end };
}
