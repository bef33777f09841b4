import { fileURLToPath } from 'node:url';
import { type Arguments, help, readCommandLine } from './command-line.js';
import { demo } from './demo.js';
import { authorizationScene } from './scenario/authorization/authorization-scene.js';
import { revisionIds } from './scenario/columns.js';
import { notesScene } from './scenario/notes-scene.js';
import { http, sse } from './scenario/transports/http-transports.js';
import { memory, stdio } from './scenario/transports/transports.js';
import { tracedCall } from './trace.js';

const script = fileURLToPath(new URL('./notes.js', import.meta.url));
const [first = '', ...later] = revisionIds;
const streamable = http(script, later);
const transports = [stdio(script), memory, streamable, sse(script, [first])];
const scenes = [notesScene(transports), authorizationScene(streamable)];

/** Runs the demo until it ends or is interrupted. */
async function run(args: Arguments): Promise<number> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => interrupted.abort(signal));
  }
  // The reader of a pipe may stop reading, like `head` does.
  process.stdout.on('error', () => interrupted.abort());
  const { signal } = interrupted;
  try {
    const setting = {
      scenes,
      screen: process.stdout,
      environment: process.env,
      signal,
      ...(args.transports.includes('http') && args.revisions.includes('2026-07-28') && { trace: tracedCall }),
    };
    return await demo(args, setting);
  } catch (error) {
    if (!signal.aborted) throw error;
    if (typeof signal.reason !== 'string') return 1;
    process.stderr.write(`demo: stopped by ${signal.reason}\n`);
    return 130;
  }
}

const args = readCommandLine(process.argv.slice(2), {
  revisions: revisionIds,
  transports,
});
if (typeof args === 'string') {
  process.stderr.write(`demo: ${args}. See --help.\n`);
  process.exitCode = 2;
} else if (args.help) {
  process.stdout.write(help);
} else {
  process.exitCode = await run(args);
}
