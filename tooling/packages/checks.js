/** Runs checks, prints a line for each, and counts them. */
export class Checks {
  #passed = 0;
  #failed = 0;
  #title;
  #print;

  /**
   * @param {string} title of all checks, for the summary
   * @param {(line: string) => void} print
   */
  constructor(title, print) {
    this.#title = title;
    this.#print = print;
  }

  /** The number of failed checks. */
  get failed() {
    return this.#failed;
  }

  /**
   * Runs a check and prints its line. A check that throws has failed.
   *
   * @param {string} name
   * @param {() => Promise<string> | string} check returns a remark for the line, which may be empty
   * @returns {Promise<boolean>} true if the check passed
   */
  async run(name, check) {
    const started = performance.now();
    const seconds = () => `${((performance.now() - started) / 1_000).toFixed(1)} s`;
    try {
      const remark = await check();
      this.#passed++;
      this.#print(`ok    ${name}${remark === '' ? '' : `: ${remark}`} (${seconds()})`);
      return true;
    } catch (error) {
      this.#failed++;
      const text = error instanceof Error ? error.message : String(error);
      this.#print(`FAIL  ${name} (${seconds()})\n${text.trimEnd().replace(/^/gm, '      ')}`);
      return false;
    }
  }

  /** The last line of the output. */
  get summary() {
    return `${this.#title}: ${this.#passed} passed, ${this.#failed} failed`;
  }
}

/**
 * Throws if there are problems.
 *
 * @param {string[]} problems
 */
export function requireNone(problems) {
  if (problems.length > 0) throw new Error(problems.join('\n'));
}
