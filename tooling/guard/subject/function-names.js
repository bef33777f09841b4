import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {import('node:inspector').Profiler.ScriptCoverage} ScriptCoverage
 * @typedef {import('node:inspector').Profiler.FunctionCoverage} FunctionCoverage
 * @typedef {{ owner: string, name: string }} Named
 */

const guard = new URL('..', import.meta.url).href;

/** Names functions by their source file, so that a name does not change with other parts of the file. */
export class FunctionNames {
  #sourceOf;
  /** @type {Map<string, number[]>} offsets of line starts, by script */
  #lines = new Map();
  /** @type {Map<string, Map<number, FunctionCoverage>>} all reported functions, by script and offset */
  #known = new Map();

  /** @param {(scriptId: string) => string} sourceOf */
  constructor(sourceOf) {
    this.#sourceOf = sourceOf;
  }

  /** @param {ScriptCoverage} script */
  add({ scriptId, functions }) {
    const known = this.#known.get(scriptId) ?? new Map();
    this.#known.set(scriptId, known);
    for (const one of functions) {
      if (one.functionName !== '') known.set(one.ranges[0]?.startOffset ?? 0, one);
    }
  }

  /**
   * @param {ScriptCoverage} script
   * @param {FunctionCoverage} one
   * @returns {Named | undefined} undefined for functions of the guard
   */
  nameOf({ scriptId, url }, one) {
    const owner = ownerOf(url);
    if (owner === 'guard') return undefined;
    // The end of the function: the source map may have no entry where a method begins.
    const end = (one.ranges[0]?.endOffset ?? 1) - 1;
    const name = one.functionName || this.#enclosing(scriptId, one);
    if (owner !== 'tenon') return { owner, name: `${shortFile(url)} ${name}`.trim() };
    return { owner, name: namePlace(url, { ...this.#place(scriptId, end), name }) };
  }

  /**
   * @param {string} scriptId
   * @param {number} offset
   */
  #place(scriptId, offset) {
    let starts = this.#lines.get(scriptId);
    if (starts === undefined) {
      starts = [0];
      for (const { index } of this.#sourceOf(scriptId).matchAll(/\n/g)) starts.push(index + 1);
      this.#lines.set(scriptId, starts);
    }
    let line = 0;
    while ((starts[line + 1] ?? Number.POSITIVE_INFINITY) <= offset) line++;
    return { line, column: offset - (starts[line] ?? 0) };
  }

  /**
   * @param {string} scriptId
   * @param {FunctionCoverage} one without a name
   */
  #enclosing(scriptId, one) {
    const { startOffset = 0, endOffset = 0 } = one.ranges[0] ?? {};
    let name = '';
    let size = Number.POSITIVE_INFINITY;
    for (const other of this.#known.get(scriptId)?.values() ?? []) {
      const range = other.ranges[0];
      if (range === undefined || range.startOffset > startOffset || range.endOffset < endOffset) continue;
      if (range.endOffset - range.startOffset >= size) continue;
      size = range.endOffset - range.startOffset;
      name = other.functionName;
    }
    return name === '' ? '(anonymous)' : `(in ${name})`;
  }
}

/** @type {Map<string, SourceMap | undefined>} by file URL */
const maps = new Map();

/**
 * Returns the name of a Tenon function: package, source file and function name.
 *
 * @param {string} url of the built file
 * @param {{ line: number, column: number, name: string }} place inside the function, counted from 0
 * @returns {string}
 */
export function namePlace(url, { line, column, name }) {
  const [, folder = '', file = ''] = /\/packages\/([^/]+)\/dist\/(.+)$/.exec(url) ?? [];
  const entry = /** @type {{ originalSource?: string } | undefined} */ (mapOf(url)?.findEntry(line, column));
  const source = entry?.originalSource?.replace(/^.*\/src\//, '') ?? file;
  return `${folder}/${source} ${name}`;
}

/** @param {string} url */
function mapOf(url) {
  if (!maps.has(url)) {
    const file = `${fileURLToPath(url)}.map`;
    maps.set(url, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined);
  }
  return maps.get(url);
}

/** @param {string} url of a script */
export function ownerOf(url) {
  if (url === '') return 'generated';
  if (url.startsWith('node:')) return 'node';
  if (url.startsWith(guard) && !url.includes('/node_modules/')) return 'guard';
  if (/\/packages\/[^/]+\/dist\//.test(url)) return 'tenon';
  const name = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  return name ?? 'guard';
}

/** @param {string} url */
function shortFile(url) {
  return url.replace(/^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//, '');
}
