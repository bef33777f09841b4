/**
 * No test compares a time or CPU time with a constant: a slow or busy machine fails it.
 *
 * @type {import('../violation.js').Rule}
 */
export function times(workspace) {
  const files = [...workspace.files.values()].filter(
    ({ path, isTest }) => isTest || path.startsWith('tooling/acceptance/') || /\/test\//.test(path),
  );
  return files.flatMap(({ path, timed }) =>
    timed.map(({ line, message }) => ({ path, line, rule: 'timed-comparison', message })),
  );
}
