import { dirname, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * A file of the first build.
 *
 * @typedef {object} Built
 * @property {string} text
 * @property {string[]} exports
 * @property {string[]} imports the files that are loaded with it
 *
 * @typedef {object} Plan
 * @property {Map<string, Built>} files
 * @property {Map<string, string>} homes the file that each gathered file becomes part of
 * @property {Map<string, [name: string, alias: string][]>} aliases by gathered file that others import from: its exports, and the
 *   names that its home exports them by
 */

/**
 * Gathers the code that an entry loads at start in the file of that entry. Code splitting alone writes a file for each set of
 * entries that share code, and Node takes longer to find a file than to read it. Other files then import from the
 * gathered file. Names that its entry does not export begin with `$`. All paths are absolute.
 *
 * @param {import('esbuild').BuildResult<{ metafile: true, write: false }>} first with inline source maps
 * @param {{ options: import('esbuild').BuildOptions, groups: string[][] }} how `options` are those of the first build. Each
 *   group is the file that gathers code, followed by the entries that only export from that file
 * @returns {Promise<{ path: string, text: string }[]>}
 */
export async function gather(first, { options, groups }) {
  const plan = planOf(first, { folder: options.absWorkingDir ?? '', groups });
  const { outdir = '' } = options;
  const whole = [...plan.files.keys()].filter((file) => (plan.homes.get(file) ?? file) === file);
  const { outputFiles = [] } = await build({
    ...options,
    entryPoints: whole.map((file) => ({ in: file, out: relative(outdir, file).replace(/\.js$/, '') })),
    splitting: false,
    sourcemap: 'linked',
    logOverride: { 'ignored-bare-import': 'silent' },
    write: false,
    plugins: [gathering(plan)],
  });
  const written = outputFiles.map(({ path, text }) => ({
    path,
    // In a source map, the imported file replaces the imports that are made here.
    text: path.endsWith('.map') ? text.replaceAll(/"other-home:([^ ]+) [^"]+"/g, '"$1"') : text,
  }));
  const faces = groups.flatMap(([home = '', ...entries]) =>
    entries.map((path) => {
      const names = plan.files.get(path)?.exports.map((name) => [name, name]) ?? [];
      return { path, text: reexport(names, between(path, home)) };
    }),
  );
  return [...written, ...faces];
}

/**
 * @param {import('esbuild').BuildResult<{ metafile: true, write: false }>} first
 * @param {{ folder: string, groups: string[][] }} how
 * @returns {Plan}
 */
function planOf({ metafile, outputFiles }, { folder, groups }) {
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]));
  /** @type {Map<string, Built>} */
  const files = new Map();
  for (const [name, { exports, imports }] of Object.entries(metafile.outputs)) {
    const path = resolve(folder, name);
    const loaded = imports.filter(({ kind, external }) => kind === 'import-statement' && external !== true);
    const built = { exports, imports: loaded.map((one) => resolve(folder, one.path)) };
    files.set(path, { text: texts.get(path) ?? '', ...built });
  }
  const homes = homesOf(files, groups);
  return { files, homes, aliases: aliasesOf({ files, homes }, groups) };
}

/**
 * @param {Plan['files']} files
 * @param {string[][]} groups
 * @returns {Plan['homes']} without files that two groups load
 */
function homesOf(files, groups) {
  const loads = groups.map((group) => {
    const found = new Set(group);
    for (const file of found) for (const other of files.get(file)?.imports ?? []) found.add(other);
    return found;
  });
  const gathered = groups.flatMap(([home = ''], at) =>
    [...(loads[at] ?? [])]
      .filter((file) => loads.every((other, index) => index === at || !other.has(file)))
      .map((file) => /** @type {const} */ ([file, home])),
  );
  return new Map(gathered);
}

/**
 * @param {Pick<Plan, 'files' | 'homes'>} plan
 * @param {string[][]} groups
 * @returns {Plan['aliases']}
 */
function aliasesOf({ files, homes }, groups) {
  /** @type {Plan['aliases']} */
  const aliases = new Map();
  const entries = new Set(groups.flat());
  /** @type {Set<string>} names that are used, with the file that exports them */
  const taken = new Set();
  for (const [file, home] of homes) {
    const isWanted = [...files].some(
      ([other, { imports }]) => homes.get(other) !== home && imports.includes(file),
    );
    if (!entries.has(file) && !isWanted) continue;
    const names = files.get(file)?.exports ?? [];
    aliases.set(
      file,
      names.map((name) => {
        let alias = entries.has(file) ? name : `$${name}`;
        while (taken.has(`${home} ${alias}`)) alias = `$${alias}`;
        taken.add(`${home} ${alias}`);
        if (entries.has(file) && alias !== name)
          throw new Error(`Two entries gathered in ${home} export ${name}.`);
        return [name, alias];
      }),
    );
  }
  return aliases;
}

/**
 * @param {Plan} plan
 * @returns {import('esbuild').Plugin}
 */
function gathering({ files, homes, aliases }) {
  const homeOf = (/** @type {string} */ file) => homes.get(file) ?? file;
  return {
    name: 'gather',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ path, kind, importer, namespace }) => {
        if (kind === 'entry-point') return { path, namespace: homes.has(path) ? 'home' : 'file' };
        const isDependency = !path.startsWith('.') && !files.has(path);
        if (isDependency || namespace === 'other-home') return { path, external: true };
        const target = resolve(dirname(importer), path);
        // A program runs even if it exports nothing.
        if (namespace === 'home') return { path: target };
        if (homeOf(target) === homeOf(importer)) return { path: target, sideEffects: false };
        const there = between(homeOf(importer), homeOf(target));
        if (!aliases.has(target)) return { path: there, external: true, sideEffects: false };
        const pluginData = { there, target };
        return { path: `${there} ${target}`, pluginData, namespace: 'other-home', sideEffects: false };
      });
      onLoad({ filter: /./, namespace: 'home' }, ({ path }) => ({
        contents: [...aliases]
          .filter(([file]) => homes.get(file) === path)
          .map(([file, names]) => reexport(names, file))
          .join(''),
      }));
      onLoad({ filter: /./, namespace: 'other-home' }, ({ pluginData: { there, target } }) => {
        const names = aliases.get(target)?.map(([name, alias]) => [alias, name]) ?? [];
        return { contents: reexport(names, there) };
      });
      onLoad({ filter: /./, namespace: 'file' }, ({ path }) => ({ contents: files.get(path)?.text ?? '' }));
    },
  };
}

/**
 * @param {string[][]} names in the other file, and here
 * @param {string} file
 */
function reexport(names, file) {
  const list = names.map(([there, here]) => (there === here ? there : `${there} as ${here}`));
  return `export { ${list.join(', ')} } from ${JSON.stringify(file)};\n`;
}

/**
 * @param {string} from
 * @param {string} to
 * @returns {string} the specifier by which a file imports another
 */
function between(from, to) {
  const path = relative(dirname(from), to).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}
