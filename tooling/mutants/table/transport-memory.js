import { mutantsOf } from '../mutation.js';

export const transportMemoryMutants = mutantsOf('transport-memory', [
  {
    name: 'queue-not-counted',
    file: 'index.ts',
    find: '    this.#queued += frame.length;\n',
    replace: '',
    tests: ['index.test.ts'],
  },
  {
    name: 'space-never-opens',
    file: 'index.ts',
    find: '      this.#space?.open();\n      this.#space = undefined;\n      for',
    replace: '      this.#space = undefined;\n      for',
    tests: ['index.test.ts'],
  },
  {
    name: 'peer-not-closed',
    file: 'index.ts',
    find: 'of [this, this.#peer])',
    replace: 'of [this])',
    tests: ['index.test.ts'],
  },
  {
    name: 'frames-before-start-lost',
    file: 'index.ts',
    find: 'if (this.#inbox.length > 0 || this.#closing) this.#schedule();',
    replace: 'if (this.#closing) this.#schedule();',
    tests: ['index.test.ts'],
  },
]);
