/**
 * @typedef {{ offset: number, message: string }} Comparison
 * @typedef {{ type: string, start: number, [member: string]: any }} Node
 * @typedef {object} Scope the names of a function, or of the file
 * @property {Scope | undefined} outer
 * @property {Map<Node, Scope>} inner of all functions in the file
 * @property {Set<string>} names
 * @property {Set<string>} timed names of variables that contain a time
 */

const message =
  'a time is compared with a constant; count steps, or compare with a reference (tooling/suite/effort.js)';
const readings = new Set(['cpuUsage', 'threadCpuUsage', 'hrtime', 'resourceUsage', 'eventLoopUtilization']);
const readingText = /cpuUsage|threadCpuUsage|hrtime|resourceUsage|eventLoopUtilization|performance|\bDate\b/;
const clocks = new Set(['performance', 'Date', 'hrtime']);
const operators = new Set(['<', '<=', '>', '>=']);
const matchers = /^toBe(?:LessThan|GreaterThan|CloseTo)/;

/**
 * Returns each comparison of a clock reading, or a value computed from one, with a value that is neither.
 *
 * @param {import('oxc-parser').Program} program
 * @param {string} source its text
 * @returns {Comparison[]}
 */
export function timedComparisons(program, source) {
  if (!readingText.test(source)) return [];
  const root = /** @type {Node} */ (/** @type {unknown} */ (program));
  /** @type {Scope} */
  const file = { outer: undefined, inner: new Map(), names: new Set(), timed: new Set() };
  declare(root, file);
  // A value may be computed from a time that is read further down: repeat until no new name is found.
  for (let size = -1; size !== sizeOf(file); ) {
    size = sizeOf(file);
    visit(root, file, spread);
  }
  /** @type {Comparison[]} */
  const found = [];
  visit(root, file, (node, scope) => {
    if (compares(node, scope)) found.push({ offset: node.start, message });
  });
  return found;
}

/**
 * @param {Node} node
 * @param {Scope} scope
 */
function declare(node, scope) {
  let inner = scope;
  if (isFunction(node)) {
    if (node.id) scope.names.add(node.id.name);
    inner = { outer: scope, inner: scope.inner, names: new Set(), timed: new Set() };
    scope.inner.set(node, inner);
    for (const parameter of node.params) for (const name of namesIn(parameter)) inner.names.add(name);
  }
  if (node.type === 'VariableDeclarator') for (const name of namesIn(node.id)) inner.names.add(name);
  for (const child of childrenOf(node)) declare(child, inner);
}

/**
 * @param {Node} node
 * @param {Scope} scope
 * @param {(node: Node, scope: Scope) => void} look
 */
function visit(node, scope, look) {
  look(node, scope);
  const inner = scope.inner.get(node) ?? scope;
  for (const child of childrenOf(node)) visit(child, inner, look);
}

/**
 * Marks the names that are assigned a time.
 *
 * @param {Node} node
 * @param {Scope} scope
 */
function spread(node, scope) {
  if (node.type === 'VariableDeclarator' && node.init && isTimed(node.init, scope)) mark(node.id, scope);
  if (node.type === 'AssignmentExpression' && isTimed(node.right, scope)) mark(node.left, scope);
  if (node.type === 'FunctionDeclaration' && isTimed(node, scope)) mark(node.id, scope);
  if (node.type !== 'CallExpression' || node.callee.property?.name !== 'push') return;
  if (node.arguments.some((/** @type {Node} */ one) => isTimed(one, scope))) mark(node.callee.object, scope);
}

/**
 * @param {Node} target
 * @param {Scope} scope
 */
function mark(target, scope) {
  for (const name of namesIn(target)) (scopeOf(name, scope) ?? scope).timed.add(name);
}

/**
 * True if the value of an expression, or the return value of a function, is computed from a time.
 *
 * @param {Node} node
 * @param {Scope} scope
 * @returns {boolean}
 */
function isTimed(node, scope) {
  if (isFunction(node)) {
    const values = node.body?.type === 'BlockStatement' ? returned(node.body) : childrenOf(node);
    const inner = scope.inner.get(node) ?? scope;
    return values.some((value) => isTimed(value, inner));
  }
  if (node.type === 'Identifier') return scopeOf(node.name, scope)?.timed.has(node.name) === true;
  if (node.type === 'CallExpression' && isReading(node.callee)) return true;
  if (node.type === 'NewExpression' && node.callee.name === 'Date' && node.arguments.length === 0)
    return true;
  if (node.type === 'Property') return isTimed(node.value, scope);
  if (node.type === 'MemberExpression' && !node.computed) return isTimed(node.object, scope);
  return childrenOf(node).some((child) => isTimed(child, scope));
}

/** @param {Node} callee */
function isReading(callee) {
  if (callee.type !== 'MemberExpression') return false;
  const { name } = callee.property;
  const of = callee.object.name ?? callee.object.property?.name;
  return readings.has(name) || ((name === 'now' || name === 'bigint') && clocks.has(of));
}

/**
 * @param {Node} node
 * @param {Scope} scope
 */
function compares(node, scope) {
  if (node.type === 'BinaryExpression' && operators.has(node.operator)) {
    return isTimed(node.left, scope) !== isTimed(node.right, scope);
  }
  if (node.type !== 'CallExpression' || !matchers.test(node.callee.property?.name ?? '')) return false;
  const [measured] = expected(node.callee.object);
  const [bound] = node.arguments;
  // A comparison with zero holds on every machine: time passes.
  if (measured === undefined || bound === undefined || bound.value === 0) return false;
  return isTimed(measured, scope) && !isTimed(bound, scope);
}

/**
 * @param {Node} node `expect(value)`, possibly followed by `.not`
 * @returns {Node[]} the arguments of `expect`
 */
function expected(node) {
  if (node.type === 'MemberExpression') return expected(node.object);
  return node.type === 'CallExpression' && node.callee.name === 'expect' ? node.arguments : [];
}

/**
 * @param {Node} node
 * @returns {Node[]} the values that the function returns; inner functions do not count
 */
function returned(node) {
  if (isFunction(node)) return [];
  if (node.type === 'ReturnStatement') return node.argument ? [node.argument] : [];
  return childrenOf(node).flatMap(returned);
}

/**
 * @param {string} name
 * @param {Scope | undefined} scope
 * @returns {Scope | undefined} the scope that declares the name
 */
function scopeOf(name, scope) {
  if (scope === undefined || scope.names.has(name)) return scope;
  return scopeOf(name, scope.outer);
}

/** @param {Node} node */
function isFunction(node) {
  return /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
}

/**
 * @param {Node} target of a declaration or an assignment
 * @returns {string[]}
 */
function namesIn(target) {
  if (target.type === 'Identifier') return [target.name];
  if (target.type === 'MemberExpression') return namesIn(target.object);
  if (target.type === 'Property') return namesIn(target.value);
  if (target.type === 'AssignmentPattern') return namesIn(target.left);
  return childrenOf(target).flatMap(namesIn);
}

/**
 * @param {Node} node
 * @returns {Node[]}
 */
function childrenOf(node) {
  const members = Object.values(node).flat();
  return members.filter((one) => typeof one?.type === 'string');
}

/** @param {Scope} file */
function sizeOf(file) {
  return [file, ...file.inner.values()].reduce((sum, { timed }) => sum + timed.size, 0);
}
