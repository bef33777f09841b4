/** @typedef {import('../source-file.js').SourceFile} SourceFile */

const forbiddenNames = new Set(['types', 'util', 'utils', 'shared', 'helper', 'helpers', 'common']);
const lineLimits = /** @type {const} */ ([
  ['apps/everything-', 200],
  ['', 400],
]);
// The first revision is of 2024. Earlier dates are versions of other APIs.
const date = /(?<!\d)20(?:2[4-9]|[3-9]\d)-\d\d-\d\d(?!\d)/;
const suppressions =
  /^[\s/*]*(biome-ignore|@ts-ignore|@ts-nocheck|@ts-expect-error|(?:eslint|oxlint)-disable|prettier-ignore)/m;

/**
 * The date of a revision is written only in `revisions/` and in tests. Other code uses a revision object.
 *
 * @type {import('../violation.js').Rule}
 */
export function dateLiterals(workspace) {
  const files = [...workspace.files.values()].filter(
    ({ path, isTest }) => path.startsWith('packages/') && !isTest && !path.includes('/src/revisions/'),
  );
  return files.flatMap(({ path, texts }) =>
    texts
      .filter(({ text }) => date.test(text))
      .map(({ text, line }) => {
        const literal = date.exec(text)?.[0];
        const message = `'${literal}' outside revisions/; take a Revision object, its rule or its table row`;
        return { path, line, rule: 'date-literal', message };
      }),
  );
}

/**
 * Files and folders are named for what they hold.
 *
 * @type {import('../violation.js').Rule}
 */
export function fileNames(workspace) {
  return [...workspace.files.keys()].flatMap((path) => {
    const bad = path.split('/').find((part) => forbiddenNames.has(part.replace(/\..*$/, '')));
    if (bad === undefined) return [];
    return [
      { path, line: 1, rule: 'file-name', message: `'${bad}' says nothing; name it for what it holds` },
    ];
  });
}

/** @type {import('../violation.js').Rule} */
export function fileLengths(workspace) {
  return [...workspace.files.values()].flatMap(({ path, lineCount }) => {
    const limit = lineLimits.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 0;
    if (lineCount <= limit) return [];
    const message = `${lineCount} lines, at most ${limit}; split it by what it holds`;
    return [{ path, line: limit + 1, rule: 'file-length', message }];
  });
}

/**
 * No comment disables a rule. `.test-d.ts` files may use `@ts-expect-error` for code that must not compile.
 *
 * @type {import('../violation.js').Rule}
 */
export function suppressionComments(workspace) {
  return [...workspace.files.values()].flatMap(({ path, comments }) =>
    comments.flatMap(({ text, line }) => {
      const found = suppressions.exec(text)?.[1];
      const allowed = found === '@ts-expect-error' && path.endsWith('.test-d.ts');
      if (found === undefined || allowed) return [];
      return [
        { path, line, rule: 'suppression', message: `'${found}' is not allowed; fix the code instead` },
      ];
    }),
  );
}
