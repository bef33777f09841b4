/**
 * The names a module exports, and the modules it exports them from.
 *
 * @typedef {object} ExportedNames
 * @property {Map<string, Origin>} named by exported name
 * @property {Map<string, Origin>} imported by local name: the imports that an `export { name }` may re-export
 * @property {{ from: string, line: number }[]} stars `export *` and `export type *`
 */

/** @typedef {{ from: string | undefined, name: string, line: number }} Origin `from` is undefined for a declaration of this module */

/**
 * @param {import('oxc-parser').Program} program
 * @param {(offset: number) => number} lineOf
 * @returns {ExportedNames}
 */
export function exportedNames(program, lineOf) {
  /** @type {ExportedNames} */
  const found = { named: new Map(), imported: new Map(), stars: [] };
  for (const statement of program.body) {
    const line = lineOf(statement.start);
    if (statement.type === 'ImportDeclaration') {
      for (const specifier of statement.specifiers) {
        const name = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : '*';
        found.imported.set(specifier.local.name, { from: statement.source.value, name, line });
      }
    } else if (statement.type === 'ExportAllDeclaration') {
      const from = statement.source.value;
      if (statement.exported === null) found.stars.push({ from, line });
      else found.named.set(nameOf(statement.exported), { from, name: '*', line });
    } else if (statement.type === 'ExportNamedDeclaration') {
      for (const { exported, local, start } of statement.specifiers) {
        const origin = { from: statement.source?.value, name: nameOf(local), line: lineOf(start) };
        found.named.set(nameOf(exported), origin);
      }
      for (const name of declaredNames(statement.declaration))
        found.named.set(name, { from: undefined, name, line });
    }
  }
  return found;
}

/** @param {import('oxc-parser').ModuleExportName} node */
function nameOf(node) {
  return node.type === 'Literal' ? node.value : node.name;
}

/**
 * @param {any} declaration
 * @returns {string[]}
 */
function declaredNames(declaration) {
  if (declaration?.type === 'VariableDeclaration')
    return declaration.declarations.map((/** @type {any} */ { id }) => id.name);
  return typeof declaration?.id?.name === 'string' ? [declaration.id.name] : [];
}
