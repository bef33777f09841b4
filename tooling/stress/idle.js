// `pnpm idle:http`: the cost of idle sessions and streams.
import { command, conclude, progress, wholeNumber } from '../suite/command-line.js';
import { idle } from './idle/idle.js';
import { lineOf } from './storm/findings/report.js';

const help = `Usage: pnpm idle:http [options]

Opens idle sessions and listen streams from another process, and prints the memory that each costs in the server
process. A session has no socket: its client has closed them. A listen stream has one, which is most of its cost.

  --sessions N  idle sessions, of three revisions in turn (default 10000)
  --streams N   streams of subscriptions/listen (default 1000)
  --json        figures and verdicts as JSON
  --help        this text

Exits with 1 if a session takes more than 1024 bytes of heap, or a peer is lost.`;

/** Bytes of heap one idle session may take. */
const bound = 1_024;

await command({
  name: 'idle:http',
  help,
  options: {
    sessions: { type: 'string', default: '10000' },
    streams: { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
  },
  run: ({ sessions, streams, json }) =>
    main(wholeNumber(sessions, '--sessions', 1), wholeNumber(streams, '--streams', 1), json),
});

/**
 * @param {number} sessions
 * @param {number} streams
 * @param {boolean} json
 */
async function main(sessions, streams, json) {
  const sample = Math.min(sessions, 1_000);
  const findings = await idle({ sessions, streams, sample, onProgress: progress });
  const figures = figuresOf(findings, sessions, streams);
  const verdicts = verdictsOf(findings, figures, streams);
  const text = () => textOf({ sessions, streams, figures, verdicts });
  conclude({ json, text, results: { figures, verdicts } });
}

/**
 * @param {import('./idle/idle.js').Findings} findings
 * @param {number} sessions
 * @param {number} streams
 */
function figuresOf({ held }, sessions, streams) {
  const each = (/** @type {'heap' | 'rss'} */ what, /** @type {number} */ count) => ({
    session: Math.round((held.sessions[what] - held.empty[what]) / sessions),
    stream: Math.round((held.streams[what] - held.sessions[what]) / count),
  });
  return { heap: each('heap', streams), rss: each('rss', streams), process: held };
}

/**
 * @param {import('./idle/idle.js').Findings} findings
 * @param {ReturnType<typeof figuresOf>} figures
 * @param {number} streams
 */
function verdictsOf({ pings, changes, complaints, ended }, { heap }, streams) {
  return [
    { claim: `an idle session takes no more than ${bound} B of heap`, holds: heap.session <= bound },
    {
      claim: `${pings.answered} of ${pings.asked} pinged sessions answer`,
      holds: pings.answered === pings.asked,
    },
    {
      claim: `${changes.received} of ${streams} listen streams receive a change, ${changes.twice} twice, ${changes.broken} broke`,
      holds: changes.received === streams && changes.twice === 0 && changes.broken === 0,
    },
    { claim: ['no error is reported', ...complaints].join('\n      '), holds: complaints.length === 0 },
    { claim: 'both processes end by themselves', holds: ended },
  ];
}

/** @param {{ sessions: number, streams: number, figures: ReturnType<typeof figuresOf>, verdicts: ReturnType<typeof verdictsOf> }} results */
function textOf({ sessions, streams, figures: { heap, rss, process: held }, verdicts }) {
  const row = (/** @type {string} */ name, /** @type {...(string | number)} */ ...cells) =>
    name.padEnd(34) + cells.map((cell) => String(cell).padStart(14)).join('');
  const mebibytes = (/** @type {number} */ bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  return [
    row('one server process', 'heap', 'RSS'),
    row('without peers', mebibytes(held.empty.heap), mebibytes(held.empty.rss)),
    row(`with ${sessions} idle sessions`, mebibytes(held.sessions.heap), mebibytes(held.sessions.rss)),
    row(`and ${streams} listen streams`, mebibytes(held.streams.heap), mebibytes(held.streams.rss)),
    row('one idle session', `${heap.session} B`, `${rss.session} B`),
    row('one listen stream, socket included', `${heap.stream} B`, `${rss.stream} B`),
    '',
    'Heap: live objects after forced collections. RSS: memory the process occupies; it grows in steps, and keeps what',
    'it once needed, so it says little of one session.',
    '',
    ...verdicts.map(lineOf),
  ].join('\n');
}
