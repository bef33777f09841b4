// What the commands of this folder have in common.

/**
 * Runs a command; wrong options end it with 2, whatever else goes wrong with 1.
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
 * @throws RangeError for what is no whole number, or too small
 */
export function wholeNumber(text, name, least = 0) {
  if (text !== undefined && /^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw new RangeError(`${name} takes a whole number${least === 0 ? '' : ` from ${least}`}.`);
}

/**
 * The seed that was given, or one of its own.
 *
 * @param {string | undefined} text
 */
export function seedOf(text) {
  return text === undefined ? Math.floor(Math.random() * 2 ** 31) : wholeNumber(text, '--seed');
}

/** When progress was last told to what is no terminal. */
let toldAt = 0;

/**
 * Tells how far it is: on one line of a terminal, and elsewhere every ten seconds.
 *
 * @param {string} line
 */
export function progress(line) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`);
  else if (line !== '' && performance.now() - toldAt > 10_000) {
    toldAt = performance.now();
    console.error(line);
  }
}
