import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/**
 * The module-level names of one declaration file.
 *
 * @typedef {object} Module
 * @property {Map<string, Declaration[]>} declarations by local name; overloads and merged declarations are several
 * @property {Map<string, Origin>} imports by local name
 * @property {Map<string, Origin>} exports by exported name
 * @property {string[]} stars modules that an `export *` re-exports
 */

/**
 * @typedef {object} Declaration
 * @property {string} text without comments, `export` and `declare`
 * @property {string} source the text in the file, with comments of members, without `export` and `declare`
 * @property {string} doc the doc comment before it, without comment marks; empty if there is none
 * @property {Set<string>} references names that its types refer to
 * @property {Origin[]} inline the names that `import('...')` types refer to
 */
/** @typedef {{ from: string | undefined, name: string }} Origin a name in another module; in this module without `from` */

/** @type {Map<string, Module>} */
const read = new Map();

/**
 * @param {string} file absolute path of a `.d.ts`
 * @returns {Module}
 */
export function readModule(file) {
  let module = read.get(file);
  if (module === undefined) {
    module = parse(file, readFileSync(file, 'utf8'));
    read.set(file, module);
  }
  return module;
}

/**
 * @param {string} file
 * @param {string} specifier
 * @returns {string | undefined} the declaration file of the module; undefined for another package
 */
export function follow(file, specifier) {
  return specifier.startsWith('.') ? join(dirname(file), specifier.replace(/\.js$/, '.d.ts')) : undefined;
}

/**
 * @param {string} file
 * @param {string} source
 * @returns {Module}
 */
function parse(file, source) {
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  /** @type {Module} */
  const module = { declarations: new Map(), imports: new Map(), exports: new Map(), stars: [] };
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') addImports(module, statement);
    else if (statement.type === 'ExportAllDeclaration') addStar(module, statement);
    else if (statement.type === 'ExportNamedDeclaration' && statement.declaration === null) {
      for (const { local, exported } of statement.specifiers) {
        module.exports.set(nameOf(exported), { from: statement.source?.value, name: nameOf(local) });
      }
    } else {
      const exported = statement.type === 'ExportNamedDeclaration';
      const node = exported ? statement.declaration : statement;
      const declaration = {
        text: textOf(source, comments, statement),
        source: bare(source.slice(statement.start, statement.end)),
        doc: docOf(source, comments, statement),
        ...references(statement),
      };
      for (const name of declaredNames(node)) {
        module.declarations.set(name, [...(module.declarations.get(name) ?? []), declaration]);
        if (exported) module.exports.set(name, { from: undefined, name });
      }
    }
  }
  return module;
}

/**
 * @param {Module} module
 * @param {import('oxc-parser').ImportDeclaration} statement
 */
function addImports(module, statement) {
  for (const specifier of statement.specifiers) {
    const name = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : '*';
    module.imports.set(specifier.local.name, { from: statement.source.value, name });
  }
}

/**
 * @param {Module} module
 * @param {import('oxc-parser').ExportAllDeclaration} statement
 */
function addStar(module, statement) {
  if (statement.exported === null) module.stars.push(statement.source.value);
  else module.exports.set(nameOf(statement.exported), { from: statement.source.value, name: '*' });
}

/** @param {import('oxc-parser').ModuleExportName} node */
function nameOf(node) {
  return node.type === 'Literal' ? node.value : node.name;
}

/**
 * @param {any} node
 * @returns {string[]}
 */
function declaredNames(node) {
  if (node?.type === 'VariableDeclaration') {
    return node.declarations.map((/** @type {any} */ declarator) => declarator.id.name);
  }
  return typeof node?.id?.name === 'string' ? [node.id.name] : [];
}

/**
 * Returns a statement's text without comments, `export` and `declare`.
 *
 * @param {string} source
 * @param {{ start: number, end: number }[]} comments
 * @param {{ start: number, end: number }} statement
 */
function textOf(source, comments, statement) {
  let text = '';
  let at = statement.start;
  for (const comment of comments) {
    if (comment.start < at || comment.end > statement.end) continue;
    text += source.slice(at, comment.start);
    at = comment.end;
  }
  text += source.slice(at, statement.end);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return bare(lines.map((line) => line.trimEnd()).join('\n'));
}

/** @param {string} text */
function bare(text) {
  return text.replace(/^(export )?(declare )?/, '');
}

/**
 * @param {string} source
 * @param {{ type: string, value: string, start: number, end: number }[]} comments
 * @param {{ start: number }} statement
 */
function docOf(source, comments, statement) {
  const doc = comments.find(
    ({ value, end }) =>
      value.startsWith('*') && end <= statement.start && source.slice(end, statement.start).trim() === '',
  );
  return doc === undefined
    ? ''
    : doc.value
        .replace(/^\*/, '')
        .replace(/^ *\* ?/gm, '')
        .trim();
}

/**
 * Returns the names that the types of a declaration refer to.
 *
 * @param {any} statement
 * @returns {{ references: Set<string>, inline: Origin[] }}
 */
function references(statement) {
  const names = new Set();
  /** @type {Origin[]} */
  const inline = [];
  /** @param {any} node an identifier, or a qualified name or member: its leftmost part counts */
  const add = (node) => {
    let left = node;
    while (left?.left ?? left?.object) left = left.left ?? left.object;
    if (left?.type === 'Identifier') names.add(left.name);
  };
  new Visitor({
    TSTypeReference: (node) => add(node.typeName),
    TSTypeQuery: (node) => add(node.exprName),
    TSInterfaceHeritage: (node) => add(node.expression),
    TSClassImplements: (node) => add(node.expression),
    ClassDeclaration: (node) => add(node.superClass),
    TSImportType: (node) => {
      const name = node.qualifier?.type === 'Identifier' ? node.qualifier.name : '*';
      inline.push({ from: node.source.value, name });
    },
    MemberExpression: (node) => add(node),
  }).visit({ type: 'Program', body: [statement], sourceType: 'module', hashbang: null, start: 0, end: 0 });
  return { references: names, inline };
}
