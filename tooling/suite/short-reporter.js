import { join } from 'node:path';
import { createFilter } from 'vite';
import { DefaultReporter } from 'vitest/node';
import { isStrict, unableFiles } from './unable-files.js';

/**
 * Vitest's default reporter without a line per passed file. Failures are printed in full. On a terminal the live summary shows
 * progress; otherwise a line is printed at each tenth of the files. The end names the files that were left out because a program is
 * not installed, and its last line counts the tests: `15687 passed, 0 failed`.
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

  /**
   * @override
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest/node').SerializedError[]} errors
   * @param {import('vitest/node').TestRunEndReason} reason
   */
  onTestRunEnd(modules, errors, reason) {
    const unable = unableFiles().map((one) => ({ ...one, files: one.files.filter(this.#isSelected, this) }));
    const found = unable.filter(({ files }) => files.length > 0);
    // Vitest takes a run without files for a mistake, and prints its settings.
    if (modules.length > 0 || found.length === 0) super.onTestRunEnd(modules, errors, reason);
    for (const { program, install, files } of found) {
      const result = isStrict ? 'Cannot pass' : 'Left out';
      this.log(`${result}, because ${program} is not installed (Debian: ${install}):`);
      for (const file of files) this.log(`  ${file}`);
      this.log();
    }
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (/** @type {string} */ state) =>
      tests.filter((test) => test.result().state === state).length;
    // An error outside of a test, such as in a hook or an import, counts as one failure.
    const outside = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const failures = errors.length + outside.filter((one) => one.errors().length > 0).length;
    this.log(`${count('passed')} passed, ${count('failed') + failures} failed`);
  }

  /**
   * True if the command runs this file where the program that it needs is installed.
   *
   * @param {string} file
   */
  #isSelected(file) {
    /** @type {readonly string[]} the words of the command that choose files */
    const words = Reflect.get(this.ctx, 'filenamePattern') ?? [];
    if (words.length > 0 && !words.some((word) => file.includes(word))) return false;
    return this.ctx.projects.some(({ config: { root, include, exclude } }) => {
      // The pattern of this very file is there because it is left out.
      const others = exclude.filter((pattern) => pattern !== file);
      return createFilter(include, others, { resolve: root })(join(root, file));
    });
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
