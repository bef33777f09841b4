// Shared by the commands of this folder.

/**
 * Runs a command. Wrong options end it with exit code 2, other errors with 1.
 *
 * @param {string} name
 * @param {() => void | Promise<void>} task
 */
export async function command(name, task) {
  try {
    await task();
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
