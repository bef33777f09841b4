import { parseSync, Visitor } from 'oxc-parser';
import { droppedPromises } from './dropped-promises.js';
import { exportedNames } from './exported-names.js';
import { timedComparisons } from './timed-comparisons.js';

/**
 * The parts of a source file that the rules check.
 *
 * @typedef {object} SourceFile
 * @property {string} path relative to the root, with forward slashes
 * @property {boolean} isTest true for `*.test.ts`, `*.test.js`, `*.test-d.ts`, and files in a package's `test/`
 * @property {number} lineCount
 * @property {{ specifier: string | undefined, line: number, lazy: boolean }[]} imports static, re-exported, dynamic
 *   (`lazy`) and type imports; the specifier of a computed import is undefined
 * @property {import('./exported-names.js').ExportedNames} exports
 * @property {{ text: string, line: number }[]} texts string literals and the fixed parts of templates
 * @property {{ text: string, line: number }[]} comments
 * @property {{ message: string, line: number }[]} dropped promises that may reject without a handler
 * @property {{ message: string, line: number }[]} timed comparisons of a time with a constant
 */

/**
 * @param {string} path relative to the root
 * @param {string} source
 * @returns {SourceFile}
 */
export function readSource(path, source) {
  const { program, comments } = parseSync(path, source);
  const lineOf = lineFinder(source);
  /** @type {SourceFile['imports']} */
  const imports = [];
  /** @type {SourceFile['texts']} */
  const texts = [];

  /**
   * @param {unknown} node the expression or literal that names the module
   * @param {boolean} [lazy] true for a dynamic import
   */
  const addImport = (node, lazy = false) => {
    const literal = /** @type {{ type: string, value?: unknown, start: number } | null | undefined} */ (node);
    if (literal === null || literal === undefined) return;
    const specifier = typeof literal.value === 'string' ? literal.value : undefined;
    imports.push({ specifier, line: lineOf(literal.start), lazy });
  };

  new Visitor({
    ImportDeclaration: (node) => addImport(node.source),
    ExportNamedDeclaration: (node) => addImport(node.source),
    ExportAllDeclaration: (node) => addImport(node.source),
    ImportExpression: (node) => addImport(node.source, true),
    TSImportType: (node) => addImport(node.source),
    TSExternalModuleReference: (node) => addImport(node.expression),
    CallExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'require') addImport(node.arguments[0]);
    },
    Literal: (node) => {
      if (typeof node.value === 'string') texts.push({ text: node.value, line: lineOf(node.start) });
    },
    TemplateElement: (node) => {
      texts.push({ text: node.value.cooked ?? node.value.raw, line: lineOf(node.start) });
    },
  }).visit(program);

  return {
    path,
    isTest: /\.test(-d)?\.[jt]s$|^packages\/[^/]+\/test\//.test(path),
    lineCount: source.split('\n').length - (source.endsWith('\n') ? 1 : 0),
    imports,
    exports: exportedNames(program, lineOf),
    texts,
    timed: timedComparisons(program, source).map(({ offset, message }) => ({
      message,
      line: lineOf(offset),
    })),
    dropped: droppedPromises(program).map(({ offset, message }) => ({ message, line: lineOf(offset) })),
    comments: comments.map((comment) => ({ text: comment.value, line: lineOf(comment.start) })),
  };
}

/**
 * @param {string} source
 * @returns {(offset: number) => number} the line, from 1, of an offset
 */
function lineFinder(source) {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (/** @type {number} */ (starts[middle]) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
