import { mutantsOf } from '../mutation.js';

export const transportMemoryMutants = mutantsOf('transport-memory', [
  {
    name: 'queue-not-counted',
    file: 'memory-end.ts',
    find: '    this.#queued += frame.length;\n',
    replace: '',
    tests: ['memory-pair.test.ts'],
  },
  {
    name: 'space-never-opens',
    file: 'memory-end.ts',
    find: '      this.#space?.open();\n      this.#space = undefined;\n      for',
    replace: '      this.#space = undefined;\n      for',
    tests: ['memory-pair.test.ts'],
  },
  {
    name: 'peer-not-closed',
    file: 'memory-end.ts',
    find: 'of [this, this.#peer])',
    replace: 'of [this])',
    tests: ['memory-pair.test.ts'],
  },
  {
    name: 'frames-before-start-lost',
    file: 'memory-end.ts',
    find: 'if (this.#inbox.length > 0 || this.#closing) this.#schedule();',
    replace: 'if (this.#closing) this.#schedule();',
    tests: ['memory-pair.test.ts'],
  },
]);
