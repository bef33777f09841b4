import { parseSync, Visitor } from 'oxc-parser';

/**
 * @typedef {object} Piece a piece of prose, or an identifier
 * @property {import('./vocabulary.js').Kind} kind
 * @property {string} text without code; the words of an identifier
 * @property {number} line from 1, of its first character
 */

const testFunctions = new Set(['it', 'test', 'describe']);
const code = /`[^`]*`|\]\([^)]*\)|\{@link [^}]*\}|https?:\/\/\S+/g;
const quoted = /"[^"\n]*"|“[^”]*”/g;

/**
 * The comments, test titles, error texts and identifiers of a source file.
 *
 * @param {string} path
 * @param {string} source
 * @returns {Piece[]}
 */
export function proseOfSource(path, source) {
  const { program, comments } = parseSync(path, source);
  /** @type {Piece[]} */
  const pieces = commentLines(comments, source);
  /** @param {number} offset */
  const lineAt = (offset) => source.slice(0, offset).split('\n').length;
  /**
   * @param {import('./vocabulary.js').Kind} kind
   * @param {any} node
   */
  const add = (kind, node) => {
    for (const { text, start } of fixedTexts(node))
      pieces.push({ kind, text: bare(text), line: lineAt(start) });
  };
  /** @type {Set<string>} */
  const names = new Set();
  /** @param {{ name: string, start: number }} node */
  const addName = ({ name, start }) => {
    if (names.has(name)) return;
    names.add(name);
    pieces.push({
      kind: 'identifier',
      text: wordsOf(name),
      // Most names are not reported, and counting lines is slow.
      get line() {
        return lineAt(start);
      },
    });
  };
  new Visitor({
    Identifier: addName,
    PrivateIdentifier: addName,
    CallExpression: (node) => {
      if (node.arguments[0] !== undefined && isTestFunction(node.callee))
        add('test title', node.arguments[0]);
    },
    NewExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name.endsWith('Error'))
        for (const argument of node.arguments) add('error text', argument);
    },
  }).visit(program);
  return pieces;
}

/**
 * The sentences of a Markdown page: without code blocks and code spans.
 *
 * @param {string} source
 * @returns {Piece[]}
 */
export function proseOfPage(source) {
  let fence = '';
  return source.split('\n').flatMap((text, index) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(text)?.[1] ?? '';
    if (fence !== '') {
      if (mark.startsWith(fence)) fence = '';
      return [];
    }
    if (mark !== '') {
      fence = mark;
      return [];
    }
    return [{ kind: /** @type {const} */ ('page'), text: bare(text), line: index + 1 }];
  });
}

/**
 * Each line of a comment is a piece; the first line of a doc comment is of kind `doc`.
 *
 * @param {readonly { type: string, value: string, start: number }[]} comments
 * @param {string} source
 * @returns {Piece[]}
 */
function commentLines(comments, source) {
  return comments.flatMap(({ type, value, start }) => {
    const first = source.slice(0, start).split('\n').length;
    const isDoc = type === 'Block' && value.startsWith('*');
    let begun = false;
    return value.split('\n').flatMap((line, index) => {
      const text = bare(line.replace(/^[\s*]+/, ''));
      if (text.trim() === '') return [];
      const kind = isDoc && !begun ? /** @type {const} */ ('doc') : /** @type {const} */ ('comment');
      begun = true;
      return [{ kind, text, line: first + index }];
    });
  });
}

/**
 * The words of an identifier: "describe Flaw" for `describeFlaw`.
 *
 * @param {string} name
 */
function wordsOf(name) {
  return name.replace(/_/g, ' ').replace(/([a-z\d])([A-Z])/g, '$1 $2');
}

/** @param {any} callee */
function isTestFunction(callee) {
  let node = callee;
  while (node.type !== 'Identifier') {
    if (node.type === 'MemberExpression') node = node.object;
    else if (node.type === 'CallExpression') node = node.callee;
    else return false;
  }
  return testFunctions.has(node.name);
}

/**
 * String literals and the fixed parts of templates, through `+` and `?:`.
 *
 * @param {any} node
 * @returns {{ text: string, start: number }[]}
 */
function fixedTexts(node) {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [{ text: node.value, start: node.start }] : [];
    case 'TemplateLiteral':
      return [
        {
          text: node.quasis.map((/** @type {any} */ { value }) => value.cooked ?? value.raw).join('…'),
          start: node.start,
        },
      ];
    case 'ParenthesizedExpression':
      return fixedTexts(node.expression);
    case 'BinaryExpression':
      return [...fixedTexts(node.left), ...fixedTexts(node.right)];
    case 'ConditionalExpression':
      return [...fixedTexts(node.consequent), ...fixedTexts(node.alternate)];
    default:
      return [];
  }
}

/** @param {string} text */
function bare(text) {
  return text.replace(code, 'CODE').replace(quoted, 'QUOTE');
}
