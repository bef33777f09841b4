// Shared by the commands of tooling.
import process from 'node:process';
import { parseArgs } from 'node:util';

/** @param {import('./command-line.js').Command<any>} command */
export async function command({ name, help, options, run }) {
  try {
    /** @type {{ values: { help?: boolean } }} */
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean', default: false } } });
    if (values.help) console.log(help);
    else await run(values);
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const isUsage = error instanceof RangeError || code?.startsWith('ERR_PARSE_ARGS');
    console.error(`${name}: ${message}${isUsage ? ' See --help.' : ''}`);
    process.exitCode = isUsage ? 2 : 1;
  }
}

/**
 * @param {string | undefined} text
 * @param {string} name of the option
 * @param {number} [least]
 * @returns {number}
 * @throws RangeError for other texts, and for numbers that are too small
 */
export function wholeNumber(text, name, least = 0) {
  if (text !== undefined && /^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw new RangeError(`${name} takes a whole number${least === 0 ? '' : ` from ${least}`}.`);
}

/**
 * Returns the given seed, or a random one.
 *
 * @param {string | undefined} text
 */
export function seedOf(text) {
  return text === undefined ? Math.floor(Math.random() * 2 ** 31) : wholeNumber(text, '--seed');
}

/** The time of the last progress line that went to a file or pipe. */
let printedAt = 0;

/**
 * Prints progress: on one line of a terminal; into files and pipes every ten seconds.
 *
 * @param {string} line
 */
export function progress(line) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`);
  else if (line !== '' && performance.now() - printedAt > 10_000) {
    printedAt = performance.now();
    console.error(line);
  }
}

/**
 * Prints the results of a command, as JSON or as text. The command exits with 1 if a verdict fails.
 *
 * @param {{ json: boolean, text: () => string, results: { verdicts: readonly { holds: boolean }[], [name: string]: unknown } }} given
 */
export function conclude({ json, text, results }) {
  progress('');
  console.log(json ? JSON.stringify(results, undefined, 2) : text());
  if (results.verdicts.some(({ holds }) => !holds)) process.exitCode = 1;
}

/**
 * Returns a signal that aborts at the first Ctrl-C. The second one ends the process.
 *
 * @param {string} message printed at the first one
 * @returns {AbortSignal}
 */
export function interrupted(message) {
  const controller = new AbortController();
  process.once('SIGINT', () => {
    console.error(message);
    controller.abort();
  });
  return controller.signal;
}
