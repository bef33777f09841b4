/**
 * What a run of vitest says of one file.
 *
 * @typedef {object} FileResult
 * @property {ReadonlyMap<string, string>} statuses of the tests, by full name; the worst where names are the same
 * @property {string | undefined} failure why the file gave no tests
 */

/**
 * The parts of vitest's JSON report that are read here.
 *
 * @typedef {object} JsonReport
 * @property {readonly JsonFile[]} testResults
 *
 * @typedef {object} JsonFile
 * @property {string} name absolute path
 * @property {string} [message]
 * @property {readonly { ancestorTitles: readonly string[], title: string, status: string }[]} assertionResults
 */

/**
 * Sorts a report by file and full name.
 *
 * @param {JsonReport} report
 * @param {string} root of the repository, ending in a slash
 * @returns {Map<string, FileResult>} by the file's path from the root
 */
export function readReport({ testResults }, root) {
  return new Map(
    testResults.map(({ name, message, assertionResults }) => {
      /** @type {Map<string, string>} */
      const statuses = new Map();
      for (const { ancestorTitles, title, status } of assertionResults) {
        const full = [...ancestorTitles, title].join(' > ');
        if ((statuses.get(full) ?? 'passed') === 'passed') statuses.set(full, status);
      }
      const failure = statuses.size === 0 ? message || 'it has no tests' : undefined;
      const path = name.replaceAll('\\', '/');
      const file = path.startsWith(root) ? path.slice(root.length) : path;
      return [file, { statuses, failure }];
    }),
  );
}
