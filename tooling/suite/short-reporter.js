import { DefaultReporter } from 'vitest/node';

/**
 * Vitest's default reporter without a line per passed file. Failures are printed in full. On a terminal the live summary shows
 * progress; otherwise a line is printed at each tenth of the files.
 */
class ShortReporter extends DefaultReporter {
  #files = 0;
  #ended = 0;
  #failedTests = 0;
  #tests = 0;

  /** @override @param {readonly import('vitest/node').TestSpecification[]} specifications */
  onTestRunStart(specifications) {
    super.onTestRunStart(specifications);
    this.#files = specifications.length;
    this.#ended = 0;
    this.#failedTests = 0;
    this.#tests = 0;
  }

  /** @override @param {import('vitest/node').TestModule} module */
  printTestModule(module) {
    if (module.state() === 'failed') super.printTestModule(module);
    if (!this.isTTY) this.#progress(module);
  }

  /** @param {import('vitest/node').TestModule} module */
  #progress(module) {
    for (const test of module.children.allTests()) {
      this.#tests += 1;
      if (test.result().state === 'failed') this.#failedTests += 1;
    }
    const before = Math.floor((10 * this.#ended) / this.#files);
    this.#ended += 1;
    const tenths = Math.floor((10 * this.#ended) / this.#files);
    if (this.#files < 10 || tenths === before) return;
    const failed = this.#failedTests === 0 ? '' : `, ${this.#failedTests} failed`;
    this.log(` ${tenths * 10} %: ${this.#ended} of ${this.#files} files, ${this.#tests} tests${failed}`);
  }
}

export { ShortReporter as default };
