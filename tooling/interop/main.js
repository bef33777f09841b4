// `pnpm interop`: our client with servers of other frameworks, and their clients with our server, call by call.
import { parseArgs } from 'node:util';
import { partHelp, partOf } from '../suite/part.js';
import { canShare, columns } from './run/columns.js';
import { fillAll } from './run/matrix.js';
import { count, pairs, tables } from './run/report.js';

/** The fewest cells that a complete run checks: over stdio, over HTTP of either kind, and over HTTP with several processes. */
const fewest = { stdio: 1_000, http: 2_200, shared: 780 };
const timeLimit = 600_000;

const help = `Usage: pnpm interop [options]

Connects Tenon's client to servers on the official SDKs, tmcp, mcp-lite and FastMCP and to the reference server, and the
official SDKs' clients, with the official package for tasks, to Tenon's everything-server: over stdio, streamable HTTP and
HTTP+SSE, in every revision both ends speak there. Over HTTP, Tenon's client also signs in at servers that the official
SDKs protect, and their clients at one that Tenon does, by their own sign-in and by that of Tenon. Each cell of the tables is
one call whose value was compared with the value it must have. Some calls break connections on purpose, and look at what
went over the wire.

  --only TEXT      only columns whose name contains TEXT, such as "fixture-v2 http" or "2.x auto"
  --part K/N       ${partHelp}
  --processes N    runs our servers as N processes that share a Redis, behind a proxy that deals requests to them in turn
                   (default 1); columns without our server over HTTP are left out
  --list           names of the columns
  --json           the cells as JSON
  --help           this text

  ok     the right value
  n/a    the revision, the transport or the other end does not have it; the reasons stand below the table
  RED    another value, shown below the table
  blank  never filled: the column failed before

Exits with 1 on any RED or blank cell, and when a whole run checks fewer than ${fewest.stdio} cells over stdio or
${fewest.http} over HTTP; with several processes, fewer than ${fewest.shared} over HTTP.`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    part: { type: 'string' },
    processes: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const isShared = values.processes !== '1';

if (values.help) console.log(help);
else await main();

async function main() {
  if (!/^[1-9]\d?$/.test(values.processes)) throw new RangeError('--processes takes a number from 1 to 99.');
  const named = columns.filter(({ id }) => id.includes(values.only));
  const chosen = partOf(isShared ? named.filter(canShare) : named, values.part);
  if (chosen.length === 0) throw new RangeError(`No column name contains ${values.only}; see --list`);
  if (values.list) {
    console.log(chosen.map(({ id }) => id).join('\n'));
    return;
  }
  const started = performance.now();
  const signal = AbortSignal.timeout(timeLimit);
  const processes = Number(values.processes);
  const filled = await fillAll(chosen, { signal, processes, onFilled: ({ id }) => progress(id) });
  progress('');
  report(filled, (performance.now() - started) / 1000);
}

/**
 * @param {import('./run/matrix.js').Filled[]} filled
 * @param {number} seconds
 */
function report(filled, seconds) {
  const counts = count(filled);
  const checked = {
    stdio: checkedIn(filled.filter(({ column }) => column.transport === 'stdio')),
    http: checkedIn(filled.filter(({ column }) => column.transport !== 'stdio')),
  };
  const failed = filled.some(({ trouble }) => trouble !== undefined) || counts.red > 0 || counts.blank > 0;
  const least = isShared ? { stdio: 0, http: fewest.shared } : fewest;
  const isWhole = values.only === '' && values.part === undefined;
  const tooFew = isWhole && (checked.stdio < least.stdio || checked.http < least.http);
  if (failed || tooFew) process.exitCode = 1;
  if (values.json) {
    const cells = filled.flatMap(({ column, cells }) =>
      [...cells].map(([call, cell]) => ({ column: column.id, call, ...cell })),
    );
    const troubles = filled.flatMap(({ column: { id }, trouble }) =>
      trouble === undefined ? [] : [{ column: id, trouble }],
    );
    console.log(JSON.stringify({ checked, counts, troubles, cells }, undefined, 2));
    return;
  }
  const colours = paint(process.stdout.isTTY && process.env.NO_COLOR === undefined);
  console.log(`${tables(filled, colours)}\n\n${pairs(filled, colours)}`);
  const rest = `${counts.red} red, ${counts.blank} blank, ${counts['n/a']} not applicable, ${seconds.toFixed(0)} s`;
  const of = `${checked.stdio} cells over stdio and ${checked.http} over HTTP`;
  console.log(`\ninterop: ${of} checked in ${filled.length} columns, ${counts.ok} right, ${rest}`);
  if (isShared) {
    console.log(`interop: ${values.processes} processes; columns without our server over HTTP are left out`);
  }
  if (tooFew) {
    console.log(`interop: at least ${least.stdio} over stdio and ${least.http} over HTTP must be checked`);
  }
}

/** @param {import('./run/matrix.js').Filled[]} filled */
function checkedIn(filled) {
  const { ok, red } = count(filled);
  return ok + red;
}

/** @param {string} text */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

/** @param {boolean} enabled */
function paint(enabled) {
  const code = (/** @type {number} */ number) => (/** @type {string} */ text) =>
    enabled ? `\u001b[${number}m${text}\u001b[0m` : text;
  return { good: code(32), bad: code(31), dim: code(2) };
}
