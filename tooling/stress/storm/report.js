/** @typedef {import('./storm.js').Findings} Findings */
/** @typedef {import('./verdicts.js').Verdict} Verdict */

/**
 * Returns the figures of a storm without the long lists.
 *
 * @param {Findings} findings
 */
export function figuresOf({ ledger, server, proxy, callersFound, holdings }) {
  const { before, after } = holdings.server;
  return {
    calls: ledger.calls,
    rightAnswers: ledger.right,
    typedErrors: ledger.errors,
    messages: ledger.messages,
    events: ledger.events,
    streams: {
      'resumptions asked for': proxy.resumptions,
      'streams given again': server.replays,
      'events given again': server.replayed,
      'streams of which too little was kept': server.incomplete,
    },
    connections: proxy.connections,
    faults: proxy.faults,
    reported: { server: server.found.typed, callers: callersFound.typed },
    heap: { before: before.heap, after: after.heap },
  };
}

/**
 * Returns the report as text.
 *
 * @param {ReturnType<typeof figuresOf>} figures
 * @param {readonly Verdict[]} verdicts
 */
export function textOf(figures, verdicts) {
  return [
    calls('call', figures),
    counts('typed errors', figures.typedErrors),
    counts('what they said', figures.messages, 12),
    counts('streams', figures.streams),
    counts('callers', figures.events),
    counts(`faults on ${figures.connections} connections`, figures.faults),
    counts('reported to onError of the server', figures.reported.server, 8),
    counts('reported to onError of clients', figures.reported.callers, 8),
    verdicts.map(lineOf).join('\n'),
  ].join('\n\n');
}

/**
 * Returns the calls made and the calls with the right answer, by kind.
 *
 * @param {string} title
 * @param {{ calls: Readonly<Record<string, number>>, rightAnswers: Readonly<Record<string, number>> }} figures
 */
export function calls(title, { calls: made, rightAnswers }) {
  const kinds = Object.keys(made).map((kind) => [kind, made[kind], rightAnswers[kind] ?? 0]);
  return table([title, 'made', 'right'], [...kinds, ['all', sum(made), sum(rightAnswers)]]);
}

/** @param {Verdict} verdict */
export function lineOf({ claim, holds, found, examples = [] }) {
  const line = `${holds ? 'ok  ' : 'FAIL'}  ${claim}${found === undefined ? '' : `: ${found}`}`;
  return holds ? line : [line, ...examples.map((example) => `      ${example}`)].join('\n');
}

/**
 * @param {string} title
 * @param {Readonly<Record<string, number>>} counted
 * @param {number} [most]
 */
export function counts(title, counted, most = 30) {
  const rows = Object.entries(counted).sort(([, a], [, b]) => b - a);
  const left = rows.length - most;
  const more = left > 0 ? `\n... and ${left} more` : '';
  return table([title, String(sum(counted))], rows.slice(0, most)) + more;
}

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly (string | number | undefined)[])[]} rows
 */
function table(head, rows) {
  const lines = [head, ...rows].map((row) => row.map(String));
  const first = Math.max(...lines.map(([name = '']) => Math.min(name.length, 60)));
  return lines
    .map(([name = '', ...cells]) => name.padEnd(first) + cells.map((cell) => cell.padStart(10)).join(''))
    .join('\n');
}

/** @param {Readonly<Record<string, number>>} counted */
function sum(counted) {
  return Object.values(counted).reduce((total, count) => total + count, 0);
}
