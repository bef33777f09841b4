/**
 * A test that ran or should have.
 *
 * @typedef {object} TestResult
 * @property {string} name describes and title joined by ` > `
 * @property {string} status
 * @property {readonly string[]} ids of the requirements it shows
 */

/**
 * The result of one file.
 *
 * @typedef {object} FileResult
 * @property {readonly TestResult[]} tests
 * @property {string | undefined} failure why the file gave no tests
 */

/**
 * The parts of vitest's JSON report that are read here. `meta.requirements` is written by `tooling/suite/shows.js`.
 *
 * @typedef {object} JsonReport
 * @property {readonly JsonFile[]} testResults
 *
 * @typedef {object} JsonFile
 * @property {string} name absolute path
 * @property {string} [message]
 * @property {readonly JsonTest[]} assertionResults
 *
 * @typedef {object} JsonTest
 * @property {readonly string[]} ancestorTitles
 * @property {string} title
 * @property {string} status
 * @property {{ requirements?: readonly string[] }} [meta]
 */

/**
 * Sorts a report by file.
 *
 * @param {JsonReport} report
 * @param {string} root of the repository, ending in a slash
 * @returns {Map<string, FileResult>} by the file's path from the root
 */
export function readReport({ testResults }, root) {
  return new Map(
    testResults.map(({ name, message, assertionResults }) => {
      const tests = assertionResults.map(({ ancestorTitles, title, status, meta }) => ({
        name: [...ancestorTitles, title].join(' > '),
        status,
        ids: meta?.requirements ?? [],
      }));
      const failure = tests.length === 0 ? message || 'it has no tests' : undefined;
      const path = name.replaceAll('\\', '/');
      const file = path.startsWith(root) ? path.slice(root.length) : path;
      return [file, { tests, failure }];
    }),
  );
}
