// `node tooling/stress/measure.js`: the cost of sessions and streams in Redis and in a process.
import { command, progress, wholeNumber } from '../suite/command-line.js';
import { measure } from './measure/measure.js';

const help = `Usage: node tooling/stress/measure.js [options]

Starts Redis and one server process that shares its state. Opens idle sessions and listen streams from another process,
and prints the bytes and commands that they cost in Redis, and the heap that they take in the process. Needs a build
(pnpm build) and redis-server.

  --sessions N  idle sessions, of three revisions in turn (default 10000)
  --streams N   streams of subscriptions/listen (default 1000)
  --help        this text`;

await command({
  name: 'measure',
  help,
  options: {
    sessions: { type: 'string', default: '10000' },
    streams: { type: 'string', default: '1000' },
  },
  run: async (values) => {
    const sessions = wholeNumber(values.sessions, '--sessions', 1);
    const streams = wholeNumber(values.streams, '--streams', 1);
    const figures = await measure({ sessions, streams, onProgress: progress });
    progress('');
    console.log(textOf(figures, sessions));
  },
});

/**
 * @param {import('./measure/measure.js').Figures} figures
 * @param {number} sessions
 */
function textOf(
  { session, called, gets, listen, change, connections, complaints, seconds, sample },
  sessions,
) {
  const row = (/** @type {string} */ name, /** @type {string} */ value) => name.padEnd(58) + value;
  const bytes = (/** @type {number} */ count) => `${Math.round(count)} B`;
  const each = (/** @type {Record<string, number>} */ counts, divisor = 1) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${Math.round((1_000 * count) / divisor) / 1_000}`)
      .join(', ') || 'none';
  return [
    row('idle session, Redis', bytes(session.redis)),
    row('idle session, MEMORY USAGE of its record', bytes(session.record)),
    row('idle session, heap of the process', bytes(session.heap)),
    row('opening a session, commands', each(session.opening, sessions)),
    row(`${sessions} idle sessions for ${seconds} s, commands`, each(session.idle)),
    row('stream of a call with three entries, MEMORY USAGE', bytes(called.log)),
    row('session with such a call, commands', each(called.commands, sample)),
    row('open GET, commands a second', each(gets.commands, sample * seconds)),
    row('listen stream, heap of the process', bytes(listen.heap)),
    row('listen stream, Redis', bytes(listen.redis)),
    row(`all listen streams, opened and idle for ${seconds} s, commands`, each(listen.commands)),
    row('change of a list, commands', each(change.commands)),
    row('first change of a list, Redis for each session', bytes(change.first)),
    row('next change of a list, Redis for each session', bytes(change.next)),
    ...connections.map((one, index) =>
      row(`connection ${index + 1}, ${one.topics} topics`, bytes(one.bytes)),
    ),
    ...complaints.map((line) => `reported: ${line}`),
  ].join('\n');
}
