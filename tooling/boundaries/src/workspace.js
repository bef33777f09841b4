import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { packageOf } from './packages.js';
import { readSource } from './source-file.js';

/** @typedef {import('./source-file.js').SourceFile} SourceFile */

/**
 * @typedef {object} Unit a folder with a package.json
 * @property {string} name
 * @property {string} folder relative to the root
 * @property {Map<string, string>} entries source file of each exported subpath, relative to the root; `*` is kept
 * @property {Map<string, Choice>} choices source files of each name in `imports`, such as `#sender`
 * @property {Set<string>} dependencies packages that are installed with this one
 * @property {Set<string>} devDependencies
 * @property {boolean} isPrivate true if it is not published
 */

/**
 * @typedef {object} Choice the source files of one name in `imports`, one for each condition
 * @property {string} source used when the workspace runs from its sources
 * @property {string | undefined} browser used in a bundle for a browser
 * @property {string[]} all
 */

/**
 * @typedef {{ kind: 'file', path: string }
 *   | { kind: 'builtin' }
 *   | { kind: 'entry', unit: Unit, path: string | undefined }
 *   | { kind: 'external', name: string }
 *   | { kind: 'unknown' }} Target the module an import reaches; `path` of an entry is undefined if the subpath is not exported
 */

// Files below `templates` belong to other projects.
const skipped = new Set(['node_modules', 'dist', '.turbo', 'coverage', 'templates']);

/** All sources and package.json files under `packages`, `apps`, `examples` and `tooling`, and the Markdown pages. */
export class Workspace {
  /** @type {Map<string, SourceFile>} */
  files = new Map();
  /** @type {Map<string, string>} texts of Markdown pages: all pages in `docs` and all README files */
  pages = new Map();
  /** @type {Map<string, Unit>} by package name */
  units = new Map();
  /** @type {Unit[]} */
  #byFolder = [];

  /** @param {string} root absolute path */
  constructor(root) {
    for (const top of ['packages', 'apps', 'examples', 'tooling', 'docs']) this.#read(root, top);
    if (existsSync(join(root, 'README.md')))
      this.pages.set('README.md', readFileSync(join(root, 'README.md'), 'utf8'));
  }

  /**
   * @param {string} root
   * @param {string} folder
   */
  #read(root, folder) {
    if (!existsSync(join(root, folder))) return;
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) this.#read(root, path);
      } else if (entry.name === 'package.json') {
        this.#addUnit(folder, JSON.parse(readFileSync(join(root, path), 'utf8')));
      } else if (entry.name === 'README.md' || (folder.startsWith('docs') && entry.name.endsWith('.md'))) {
        this.pages.set(path, readFileSync(join(root, path), 'utf8'));
      } else if (/\.[cm]?[jt]s$/.test(entry.name) && !/\.d\.[cm]?ts$/.test(entry.name)) {
        this.files.set(path, readSource(path, readFileSync(join(root, path), 'utf8')));
      }
    }
  }

  /**
   * @param {string} folder
   * @param {Record<string, any>} manifest
   */
  #addUnit(folder, manifest) {
    const entries = new Map();
    for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
      const source = target?.['tenon-source'];
      if (typeof source === 'string') entries.set(subpath, posix.join(folder, source));
    }
    const unit = {
      name: String(manifest.name),
      folder,
      entries,
      choices: choicesOf(folder, manifest.imports),
      dependencies: new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })),
      devDependencies: new Set(Object.keys(manifest.devDependencies ?? {})),
      isPrivate: manifest.private === true,
    };
    this.units.set(unit.name, unit);
    this.#byFolder.push(unit);
  }

  /**
   * @param {string} path
   * @returns {Unit | undefined} the package that contains a file
   */
  unitOf(path) {
    const around = this.#byFolder.filter((unit) => path.startsWith(`${unit.folder}/`));
    return around.sort((a, b) => b.folder.length - a.folder.length)[0];
  }

  /**
   * @param {string} from the importing file
   * @param {string} specifier
   * @param {'source' | 'browser'} [condition]
   * @returns {Target}
   */
  resolve(from, specifier, condition = 'source') {
    if (specifier.startsWith('#')) {
      const choice = this.unitOf(from)?.choices.get(specifier);
      const path = choice?.[condition] ?? choice?.source;
      return path === undefined ? { kind: 'unknown' } : { kind: 'file', path };
    }
    if (specifier.startsWith('.')) {
      const path = posix.join(posix.dirname(from), specifier);
      return { kind: 'file', path: this.#existing(path) ?? path };
    }
    if (isBuiltin(specifier)) return { kind: 'builtin' };
    const parts = specifier.split('/');
    const name = parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
    const unit = this.units.get(name);
    if (unit === undefined) return { kind: 'external', name };
    return { kind: 'entry', unit, path: this.#entry(unit, `.${specifier.slice(name.length)}`) };
  }

  /** @param {string} path as imported, with the extension of the built file */
  #existing(path) {
    const bare = path.replace(/\.js$/, '');
    return [path, `${bare}.ts`, `${path}.ts`, `${path}/index.ts`].find((candidate) =>
      this.files.has(candidate),
    );
  }

  /**
   * @param {Unit} unit
   * @param {string} subpath
   */
  #entry(unit, subpath) {
    const exact = unit.entries.get(subpath);
    if (exact !== undefined) return exact;
    for (const [pattern, source] of unit.entries) {
      const [before = '', after] = pattern.split('*');
      if (after === undefined || !subpath.startsWith(before) || !subpath.endsWith(after)) continue;
      return source.replace('*', subpath.slice(before.length, subpath.length - after.length));
    }
    return undefined;
  }

  /**
   * @param {SourceFile} file
   * @returns {{ line: number, path: string }[]} the files in the workspace that a file imports
   */
  edges(file) {
    const found = [];
    for (const { specifier, line } of file.imports) {
      if (specifier === undefined) continue;
      for (const path of this.unitOf(file.path)?.choices.get(specifier)?.all ?? [])
        found.push({ line, path });
      const target = this.resolve(file.path, specifier);
      if (target.kind !== 'file' && target.kind !== 'entry') continue;
      if (target.path !== undefined && this.files.has(target.path)) found.push({ line, path: target.path });
    }
    return found;
  }

  /** @param {Unit} unit */
  packageOf(unit) {
    return packageOf(`${unit.folder}/`);
  }
}

/**
 * @param {string} folder
 * @param {Record<string, Record<string, string>>} [imports] of a package.json
 * @returns {Map<string, Choice>}
 */
function choicesOf(folder, imports = {}) {
  return new Map(
    Object.entries(imports).map(([name, targets]) => {
      const sources = Object.entries(targets).map(([condition, file]) => {
        const source = file.replace('./dist/', './src/').replace(/\.js$/, '.ts');
        return /** @type {[string, string]} */ ([condition, posix.join(folder, source)]);
      });
      const { 'tenon-source': source = '', browser } = Object.fromEntries(sources);
      return [name, { source, browser, all: sources.map(([, path]) => path) }];
    }),
  );
}
