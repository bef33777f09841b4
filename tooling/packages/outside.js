import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './commands.js';

const compilerOptions = {
  target: 'ES2022',
  module: 'nodenext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  outDir: 'dist',
  rootDir: 'src',
};

/**
 * Installs the tarballs in a folder of their own, type-checks there, and runs every entry and the ten-line examples on
 * this Node and on the newest.
 *
 * @param {{ root: string, folder: string, packs: import('./main.js').Pack[], newest: string | undefined }} options
 * @returns {string[]} problems
 */
export function checkOutside({ root, folder, packs, newest }) {
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest(root, packs)));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  writeFileSync(join(folder, 'src/entries.ts'), entries(packs));
  writeFileSync(join(folder, 'src/over-http.ts'), overHttp);
  const examples = copyExamples(root, folder);
  if (examples === undefined)
    return ['examples/src/outside must hold server.ts, client.ts and http-server.ts'];

  const failed = install('outside', folder);
  if (failed !== undefined) return [failed];
  // Not everybody writes strict code: what the types say must hold there too.
  const loose = ['--strict', 'false', '--exactOptionalPropertyTypes', 'false', '--noEmit'];
  for (const flags of [loose, []]) {
    const refused = compile('outside', folder, flags);
    if (refused !== undefined) return [refused];
  }
  return runOnEach('outside', ['entries', ...examples], { folder, newest });
}

/**
 * @param {string} what names the folder in the problem
 * @param {string} folder
 * @returns {string | undefined} the problem
 */
export function install(what, folder) {
  const { ok, output } = run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: folder,
  });
  return ok ? undefined : `${what}: npm install\n${output}`;
}

/**
 * @param {string} what names the folder in the problem
 * @param {string} folder
 * @param {string[]} flags beside those of its tsconfig.json
 * @returns {string | undefined} the problem
 */
export function compile(what, folder, flags = []) {
  const compiler = ['node_modules/typescript/bin/tsc', '-p', '.', ...flags];
  const { ok, output } = run(process.execPath, compiler, { cwd: folder });
  return ok ? undefined : `${what}: tsc ${flags.join(' ')}\n${output}`;
}

/**
 * Runs compiled programs on this Node and on the newest. A program that prints nothing has a problem too.
 *
 * @param {string} what names the folder in problems
 * @param {string[]} files without folder and extension
 * @param {{ folder: string, newest: string | undefined }} options
 * @returns {string[]} problems
 */
export function runOnEach(what, files, { folder, newest }) {
  const problems = [];
  if (newest === undefined) problems.push(`${what}: no newest Node for ${process.platform}-${process.arch}`);
  for (const node of [process.execPath, newest]) {
    if (node === undefined) continue;
    const version = run(node, ['--version'], { cwd: folder }).output.trim();
    for (const file of files) {
      const { ok, output } = run(node, [`dist/${file}.js`], { cwd: folder, timeout: 60_000 });
      if (!ok || output.trim() === '') problems.push(`${what}: ${file}.js on Node ${version}\n${output}`);
      else console.log(`${what}: ${file}.js on Node ${version}: ${output.trim().split('\n')[0]}`);
    }
  }
  return problems;
}

/**
 * @param {string} root
 * @param {import('./main.js').Pack[]} packs
 */
function manifest(root, packs) {
  const tool = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;
  const zod = JSON.parse(readFileSync(join(root, 'examples/node_modules/zod/package.json'), 'utf8')).version;
  return {
    private: true,
    type: 'module',
    dependencies: { ...tarballsOf(packs), zod },
    devDependencies: { '@types/node': tool('@types/node'), typescript: tool('typescript') },
    overrides: Object.fromEntries(packs.map(({ name }) => [name, `$${name}`])),
  };
}

/**
 * @param {import('./main.js').Pack[]} packs
 * @returns {Record<string, string>} where npm finds each package, by name
 */
export function tarballsOf(packs) {
  return Object.fromEntries(packs.map(({ name, tarball }) => [name, `file:${tarball}`]));
}

/**
 * A program that imports every entry of every package.
 *
 * @param {import('./main.js').Pack[]} packs
 */
function entries(packs) {
  const names = packs.flatMap(({ name, exports }) =>
    Object.entries(exports)
      .filter(([, target]) => typeof target !== 'string')
      .map(([subpath]) => name + subpath.slice(1)),
  );
  const imports = names.map((name, index) => `import * as entry${index} from '${name}';`);
  const all = names.map((_, index) => `entry${index}`).join(', ');
  return `${imports.join('\n')}\nconsole.log(\`\${[${all}].length} entries\`);\n`;
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[] | undefined} the programs to run; none before the examples are written
 */
function copyExamples(root, folder) {
  const from = join(root, 'examples/src/outside');
  if (!existsSync(from)) return [];
  for (const name of ['server.ts', 'client.ts', 'http-server.ts']) {
    if (!existsSync(join(from, name))) return undefined;
    copyFileSync(join(from, name), join(folder, 'src', name));
  }
  return ['client', 'over-http'];
}

/** A program that reaches the ten-line HTTP server by its URL, in the newest revision and in one with sessions. */
const overHttp = `import { connect } from '@tenon/mcp-client';

process.env.PORT = '0';
const { serving } = await import('./http-server.js');
for (const revisions of [undefined, ['2025-11-25']]) {
  const client = await connect(serving.url, { info: { name: 'outside', version: '1.0.0' }, ...(revisions && { revisions }) });
  const { content } = await client.callTool('greet', { name: 'world' });
  console.log(client.revision, content);
  await client.close();
}
await serving.close();
`;
