// `pnpm attack`: known resource attacks against a server with default options and a small heap.

import { command, interrupted, progress, wholeNumber } from '../suite/command-line.js';
import { partHelp, partOf } from '../suite/part.js';
import { attacking, attacks, growth } from './attack/attacking.js';
import { faultsOf, lineOf } from './attack/verdicts.js';

const help = `Usage: pnpm attack [options]

Runs resource attacks against a default server in a process with a small heap: answers too large in sum, answers and
replays left unread, trickling readers, pipelining, bodies left unfinished, work for schema libraries, floods, and state that
fills up with tasks and kept results. After each one the server must live and answer. Meanwhile no call of another client may wait longer than --patience, and the process
may not occupy more than --memory. Afterwards the memory held must be within ${growth * 100} % of what was held before. Each attack
on the state of a server, or over the standard streams, has a server of its own, which must live and answer. Attacks of a
server on our client, in a process with the same heap, must end with the error of a limit.

  --only NAME      an attack; may be given several times (default: all)
  --part K/N       ${partHelp}
  --list           lists the attacks, with one line about each
  --seconds N      how long an attacker keeps its connections open (default 5)
  --heap N         MiB of heap the server has (default 512)
  --memory N       MiB of memory the process may occupy (default: the heap and 512)
  --patience N     the longest wait of another client for an echo, in times that the server's process takes to parse the most
                   expensive body (default 6)
  --json           findings and faults as JSON
  --help           this text

Sends traffic to 127.0.0.1 only, to servers that it started. Ctrl-C ends it after the attack that is going on. Exits
with 1 when an attack succeeds.`;

await command({
  name: 'attack',
  help,
  options: {
    only: { type: 'string', multiple: true },
    part: { type: 'string' },
    list: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '5' },
    heap: { type: 'string', default: '512' },
    memory: { type: 'string' },
    patience: { type: 'string', default: '6' },
    json: { type: 'boolean', default: false },
  },
  run: async (values) => {
    if (values.list) console.log(attacks.map(({ name, about }) => `${name.padEnd(22)}${about}`).join('\n'));
    else await main(values);
  },
});

/**
 * @param {Record<'seconds' | 'heap' | 'patience', string>
 *   & { only?: string[], part?: string, memory?: string, json: boolean }} values
 */
async function main({ only = [], part, seconds, heap, memory, patience, json }) {
  for (const name of only) requireAttack(name);
  const mebibytes =
    memory === undefined ? wholeNumber(heap, '--heap', 64) + 512 : wholeNumber(memory, '--memory', 64);
  const most = { patience: wholeNumber(patience, '--patience', 1), memory: mebibytes * 2 ** 20 };
  const names = attacks.map(({ name }) => name).filter((name) => only.length === 0 || only.includes(name));
  const chosen = {
    only: partOf(names, part),
    seconds: wholeNumber(seconds, '--seconds', 1),
    heap: wholeNumber(heap, '--heap', 64),
    signal: interrupted('attack: ending after this attack; once more to stop at once'),
    onProgress: progress,
  };
  const results = [];
  for await (const finding of attacking(chosen)) {
    const faults = faultsOf(finding, most);
    results.push({ ...finding, faults });
    progress('');
    if (!json) console.log(lineOf(finding, faults));
  }
  const succeeded = results.filter(({ faults }) => faults.length > 0);
  if (json) console.log(JSON.stringify(results, undefined, 2));
  else console.log(`\n${results.length - succeeded.length} of ${results.length} attacks endured`);
  if (succeeded.length > 0) process.exitCode = 1;
}

/**
 * @param {string} name
 * @throws RangeError for an unknown attack
 */
function requireAttack(name) {
  if (attacks.some((attack) => attack.name === name)) return;
  throw new RangeError(`No attack is named "${name}"; --list prints the names.`);
}
