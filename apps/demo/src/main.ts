import { fileURLToPath } from 'node:url';
import { help, readCommandLine, type Wanted } from './command-line.js';
import { demo } from './demo.js';
import { authorizationScene } from './scenario/authorization-scene.js';
import { revisionIds } from './scenario/columns.js';
import { http, sse } from './scenario/http-transports.js';
import { notesScene } from './scenario/notes-scene.js';
import { memory, stdio } from './scenario/transports.js';

const script = fileURLToPath(new URL('./notes.js', import.meta.url));
const [first = '', ...later] = revisionIds;
const streamable = http(script, later);
const transports = [stdio(script), memory, streamable, sse(script, [first])];
const scenes = [notesScene(transports), authorizationScene(streamable)];

/** Runs until the end, or until it is interrupted; either way nothing is left running. */
async function run(wanted: Wanted): Promise<number> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => interrupted.abort(signal));
  }
  // Whoever reads our output may stop, as `head` does.
  process.stdout.on('error', () => interrupted.abort());
  const { signal } = interrupted;
  try {
    const surroundings = {
      scenes,
      screen: process.stdout,
      environment: process.env,
      signal,
    };
    return await demo(wanted, surroundings);
  } catch (error) {
    if (!signal.aborted) throw error;
    if (typeof signal.reason !== 'string') return 1;
    process.stderr.write(`demo: stopped by ${signal.reason}\n`);
    return 130;
  }
}

const wanted = readCommandLine(process.argv.slice(2), {
  revisions: revisionIds,
  transports,
});
if (typeof wanted === 'string') {
  process.stderr.write(`demo: ${wanted}. See --help.\n`);
  process.exitCode = 2;
} else if (wanted.help) {
  process.stdout.write(help);
} else {
  process.exitCode = await run(wanted);
}
