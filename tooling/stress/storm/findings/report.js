/** @typedef {import('../storm.js').Findings} Findings */
/** @typedef {import('./verdicts.js').Verdict} Verdict */

/**
 * Returns the figures of a storm without the long lists.
 *
 * @param {Findings} findings
 */
export function figuresOf({ ledger, server, proxy, processes, seconds }) {
  /** @type {<T>(figure: (process: Findings['processes'][number]) => T) => Record<string, T>} */
  const each = (figure) => Object.fromEntries(processes.map((process) => [process.name, figure(process)]));
  return {
    seconds: Math.round(seconds * 10) / 10,
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
    messageFaults: ledger.messageFaults,
    connections: proxy.connections,
    faults: proxy.faults,
    reported: each(({ after }) => after.found.typed),
    heap: each(({ before, after }) => ({ before: before.heap, after: after.heap })),
    resources: each(({ before, after }) => ({ before: before.resources, after: after.resources })),
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
    calls(`call (${figures.seconds} s)`, figures),
    counts('typed errors', figures.typedErrors),
    counts('what they said', figures.messages, 12),
    counts('streams', figures.streams),
    counts('callers', figures.events),
    counts(`faults on ${figures.connections} connections`, figures.faults),
    `faults on messages, and children killed: ${figures.messageFaults}`,
    ...Object.entries(figures.reported).map(([name, found]) =>
      counts(`reported to onError in the ${name} process`, found, 8),
    ),
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
