// The servers of the comparison.
import { fileURLToPath } from 'node:url';
import { startServerProgram } from '../suite/services/server-program.js';

const everything = fileURLToPath(new URL('../../apps/everything-server/dist/main.js', import.meta.url));
const oneRevision = fileURLToPath(new URL('./one-revision-server.js', import.meta.url));

/** Commands of servers over stdio. */
export const commands = {
  everything: [process.execPath, everything, '--stdio'],
  newest: [process.execPath, oneRevision, '2026-07-28'],
  oldest: [process.execPath, oneRevision, '2024-11-05'],
};

/** Starts the everything server over HTTP and HTTP+SSE. */
export function serveEverything() {
  return startServerProgram(process.execPath, [everything, '--http', '0', '--sse']);
}
