/** Carries out commands in this process, where a {@link import('./child.js').Child} does so in a process of its own. */
export class Local {
  #commands;

  /** @param {Readonly<Record<string, (given: any) => unknown>>} commands */
  constructor(commands) {
    this.#commands = commands;
  }

  /**
   * @param {string} command
   * @param {object} [given]
   * @returns {Promise<any>}
   */
  async call(command, given = {}) {
    return this.#commands[command]?.(given);
  }

  /** @returns {undefined} this process goes on */
  release() {
    return undefined;
  }

  kill() {}
}
