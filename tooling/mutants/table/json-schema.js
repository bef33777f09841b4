import { mutantsOf } from '../mutation.js';

const tests = ['interpreter.test.ts', 'interpreter-agreement.test.ts'];

export const jsonSchemaMutants = mutantsOf('json-schema', [
  {
    name: 'pointer-unescaped-in-the-wrong-order',
    file: 'structure.ts',
    find: ".replaceAll('~1', '/').replaceAll('~0', '~')",
    replace: ".replaceAll('~0', '~').replaceAll('~1', '/')",
    tests,
  },
  {
    name: 'pointer-not-decoded',
    file: 'structure.ts',
    find: 'return decodeURIComponent(part);',
    replace: 'return part;',
    tests,
  },
  {
    name: 'pointer-into-prototypes',
    file: 'structure.ts',
    find: '!Object.hasOwn(value, key)',
    replace: '!(key in value)',
    tests,
  },
  {
    name: 'scope-stays-after-a-failed-branch',
    file: 'interpreter/compile.ts',
    find: '    try {\n      return node(value, run, seen);\n    } finally {\n      run.scope.pop();\n    }\n',
    replace: '    const fits = node(value, run, seen);\n    if (fits) run.scope.pop();\n    return fits;\n',
    tests,
  },
  {
    name: 'innermost-dynamic-anchor',
    file: 'interpreter/compile.ts',
    find: 'run.scope.find((one) => candidates.has(one))',
    replace: 'run.scope.findLast((one) => candidates.has(one))',
    tests,
  },
  {
    name: 'dynamic-without-anchor-of-that-kind',
    file: 'interpreter/compile.ts',
    find: "keyword === '$dynamicRef' && this.#document.dynamic(anchor).get(foundBase) === found",
    replace: "keyword === '$dynamicRef'",
    tests,
  },
  {
    name: 'static-reference-as-dynamic',
    file: 'interpreter/compile.ts',
    find: "keyword === '$dynamicRef' && this",
    replace: 'this',
    tests,
  },
  {
    name: 'referenced-resource-not-entered',
    file: 'interpreter/compile.ts',
    find: ': scoped(foundBase, node);',
    replace: ': node;',
    tests,
  },
  {
    name: 'muted-for-ever',
    file: 'interpreter/run.ts',
    find: '    this.#muted--;\n',
    replace: '',
    tests,
  },
  {
    name: 'path-not-left',
    file: 'interpreter/run.ts',
    find: '    this.path.pop();\n',
    replace: '',
    tests,
  },
  {
    name: 'merged-items-forgotten',
    file: 'interpreter/seen.ts',
    find: '    this.addItems(other.#items);\n',
    replace: '',
    tests,
  },
  {
    name: 'merged-all-names-forgotten',
    file: 'interpreter/seen.ts',
    find: '    if (other.#allNames) this.#allNames = true;\n',
    replace: '',
    tests,
  },
]);
