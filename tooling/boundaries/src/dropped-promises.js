import { Visitor } from 'oxc-parser';

/**
 * @typedef {{ offset: number, message: string }} Dropped a place that drops a promise without handling its rejection
 * @typedef {{ type: string, start: number, [member: string]: any }} Node
 */

const detached = 'use detach(promise, failed) or follow(promise, take, failed) of @tenon/foundation';
const listeners = new Set(['on', 'once', 'addListener', 'prependListener', 'addEventListener']);
const callbacks = new Set([
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'nextTick',
  'schedule',
]);

/**
 * Returns each place that drops a promise and that the linter's `noFloatingPromises` accepts.
 *
 * @param {import('oxc-parser').Program} program
 * @returns {Dropped[]}
 */
export function droppedPromises(program) {
  /** @type {Dropped[]} */
  const found = [];
  const functions = namedFunctions(program);
  const add = (/** @type {Node} */ node, /** @type {string} */ message) =>
    found.push({ offset: node.start, message });

  new Visitor({
    UnaryExpression: (node) => {
      if (node.operator === 'void') add(node, `'void' drops what may be a promise; ${detached}`);
    },
    ExpressionStatement: (node) => {
      const message = unhandledIn(node.expression, functions);
      if (message !== undefined) add(node, message);
    },
    CallExpression: (node) => {
      const name = calledName(node);
      if (name === undefined || !(listeners.has(name) || callbacks.has(name))) return;
      const bad = node.arguments.find((one) => isAsyncFunction(one, functions));
      if (bad !== undefined) add(bad, `${name}() drops the promise of an async function; ${detached}`);
    },
    NewExpression: (node) => {
      const [executor] = node.arguments;
      const isPromise = node.callee.type === 'Identifier' && node.callee.name === 'Promise';
      if (isPromise && executor !== undefined && isAsyncFunction(executor, functions))
        add(executor, 'new Promise() drops the promise of an async function; make it a plain one');
    },
  }).visit(program);
  return found;
}

/**
 * Returns the problem with an expression if its value is dropped.
 *
 * @param {Node} dropped
 * @param {Map<string, Node>} functions
 * @returns {string | undefined}
 */
function unhandledIn(dropped, functions) {
  const expression = bare(dropped);
  if (expression.type === 'LogicalExpression') return unhandledIn(expression.right, functions);
  if (expression.type === 'ConditionalExpression')
    return unhandledIn(expression.consequent, functions) ?? unhandledIn(expression.alternate, functions);
  if (expression.type === 'AssignmentExpression' || expression.type !== 'CallExpression') return undefined;
  const name = calledName(expression);
  if (name === 'finally') return `.finally() hands on a rejection that nothing handles; ${detached}`;
  if (name === 'then') return unhandledThen(expression, functions);
  const called = functionOf(expression.callee, functions);
  if (called?.async === true) return `the promise of an async function is dropped; ${detached}`;
  return undefined;
}

/**
 * Allows `.then(take, failed)` if `take` cannot throw: its body is one `try` with a `catch`.
 *
 * @param {Node} call
 * @param {Map<string, Node>} functions
 */
function unhandledThen(call, functions) {
  const [take, failed] = call.arguments;
  if (failed === undefined) return `.then() without a handler of rejections; ${detached}`;
  if (take.type === 'Identifier' && take.name === 'undefined') return undefined;
  const statements = functionOf(take, functions)?.body?.body;
  const [only] = Array.isArray(statements) ? statements : [];
  const total = statements?.length === 1 && only?.type === 'TryStatement' && only.handler !== null;
  return total
    ? undefined
    : 'what .then() calls may throw: make its body one try with a catch, or use follow(promise, take, failed)';
}

/**
 * @param {Node} node
 * @param {Map<string, Node>} functions
 */
function isAsyncFunction(node, functions) {
  return functionOf(node, functions)?.async === true;
}

/**
 * @param {Node} node
 * @param {Map<string, Node>} functions functions of the file by name, members as `this.name`
 * @returns {Node | undefined} the function itself, or the function of that name
 */
function functionOf(node, functions) {
  const expression = bare(node);
  if (/Function/.test(expression.type)) return expression;
  const name = pathOf(expression);
  return name === undefined ? undefined : functions.get(name);
}

/**
 * @param {import('oxc-parser').Program} program
 * @returns {Map<string, Node>}
 */
function namedFunctions(program) {
  /** @type {Map<string, Node>} */
  const functions = new Map();
  const member = (/** @type {Node} */ node) => {
    const { key, value } = node;
    if (key.name !== undefined && /Function/.test(value?.type ?? ''))
      functions.set(`this.${key.type === 'PrivateIdentifier' ? '#' : ''}${key.name}`, value);
  };
  new Visitor({
    FunctionDeclaration: (node) => {
      if (node.id !== null) functions.set(node.id.name, node);
    },
    VariableDeclarator: (node) => {
      if (node.id.type === 'Identifier' && /Function/.test(node.init?.type ?? ''))
        functions.set(node.id.name, /** @type {Node} */ (node.init));
    },
    MethodDefinition: member,
    PropertyDefinition: member,
  }).visit(program);
  return functions;
}

/**
 * @param {Node} node
 * @returns {string | undefined} such as `name` or `this.#name`
 */
function pathOf(node) {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed || node.object.type !== 'ThisExpression') return;
  return `this.${node.property.type === 'PrivateIdentifier' ? '#' : ''}${node.property.name}`;
}

/**
 * @param {Node} call
 * @returns {string | undefined} the last part of the called name
 */
function calledName({ callee }) {
  const called = bare(callee);
  if (called.type === 'Identifier') return called.name;
  return called.type === 'MemberExpression' && !called.computed ? called.property.name : undefined;
}

/**
 * @param {Node} node
 * @returns {Node} without parentheses, optional chains and type assertions
 */
function bare(node) {
  const around = ['ChainExpression', 'ParenthesizedExpression', 'TSAsExpression', 'TSNonNullExpression'];
  return around.includes(node.type) ? bare(node.expression) : node;
}
