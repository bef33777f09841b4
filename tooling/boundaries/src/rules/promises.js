/**
 * No promise is dropped in what users install: a rejection that nothing handles ends their process.
 *
 * @type {import('../violation.js').Rule}
 */
export function promises(workspace) {
  const files = [...workspace.files.values()].filter(
    ({ path, isTest }) => /^packages\/[^/]+\/src\//.test(path) && !isTest,
  );
  return files.flatMap(({ path, dropped }) =>
    dropped.map(({ line, message }) => ({ path, line, rule: 'dropped-promise', message })),
  );
}
