/**
 * @typedef {Record<string, unknown>} Manifest a package.json
 * @typedef {object} Expected
 * @property {string} repository the URL of the repository, as in the package.json of the workspace
 * @property {string} directory of the package in the repository, such as `packages/client`
 * @property {string} version that all packages share
 * @property {string[]} [folders] that the package publishes beside `dist` and `src`
 */

/** @param {string[]} folders beside `dist` and `src` */
const filesWith = (folders) => [
  'dist',
  'src',
  ...folders,
  'CHANGELOG.md',
  '!dist/.tsbuildinfo',
  '!src/**/*.test.ts',
  '!src/**/*.test-d.ts',
];

/**
 * Returns the fields of a public package that differ from those that all public packages have.
 *
 * @param {Manifest} manifest
 * @param {Expected} expected
 * @returns {string[]} problems
 */
export function manifestProblems(manifest, { repository, directory, version, folders = [] }) {
  const page = repository.replace(/^git\+/, '').replace(/\.git$/, '');
  const exact = {
    version,
    homepage: `${page}/tree/main/${directory}#readme`,
    bugs: `${page}/issues`,
    repository: { type: 'git', url: repository, directory },
    license: 'Apache-2.0',
    author: 'The Tenon authors',
    type: 'module',
    engines: { node: '>=20.18.1' },
    files: filesWith(folders),
    publishConfig: { access: 'public', provenance: true },
  };
  const problems = Object.entries(exact)
    .filter(([field, value]) => JSON.stringify(manifest[field]) !== JSON.stringify(value))
    .map(([field, value]) => `${field} must be ${JSON.stringify(value)}`);

  const { description, keywords, sideEffects, exports } = manifest;
  if (typeof description !== 'string' || description.length < 40 || description.length > 160)
    problems.push('description must have 40 to 160 characters');
  if (!Array.isArray(keywords) || keywords.length < 3)
    problems.push('keywords must have three words at least');
  if (typeof sideEffects !== 'boolean' && !Array.isArray(sideEffects))
    problems.push('sideEffects must be false, or list the files that have some');
  if (typeof exports !== 'object' || exports === null || !('./package.json' in exports))
    problems.push('exports must have "./package.json"');
  return [...problems, ...versionProblems(manifest)];
}

/**
 * Packages of Tenon depend on each other at exactly their own version, see decision 021.
 *
 * @param {Manifest} manifest
 */
function versionProblems(manifest) {
  return ['dependencies', 'peerDependencies', 'optionalDependencies'].flatMap((field) =>
    Object.entries(/** @type {Record<string, string>} */ (manifest[field] ?? {}))
      .filter(([name, range]) => /^(?:@tenon\/|(?:create-)?tenon$)/.test(name) && range !== 'workspace:*')
      .map(([name]) => `${field} must have ${name} as "workspace:*"`),
  );
}
