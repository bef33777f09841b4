const src = 'packages/session/src';

/** @type {readonly import('../mutation.js').Mutant[]} */
export const sessionMutants = [
  {
    id: 'session/rate-never-refuses',
    file: `${src}/rate.ts`,
    find: 'if (missing > this.#depth) return false;',
    replace: '',
    tests: [`${src}/rate.test.ts`],
  },
  {
    id: 'session/in-flight-listen-frees-too-much',
    file: `${src}/in-flight.ts`,
    find: '    this.#running--;\n    if (lasting) this.#lasting--;',
    replace: '    this.#running--;\n    if (lasting) this.#running--;\n    if (lasting) this.#lasting--;',
    tests: [`${src}/flight.test.ts`, `${src}/endpoint.test.ts`],
  },
];
