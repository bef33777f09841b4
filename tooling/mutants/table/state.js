import { mutantsOf } from '../mutation.js';

export const stateMutants = mutantsOf('state', [
  {
    name: 'full-state-waited-for-ever',
    file: 'runs/until-reached.ts',
    find: 'full: Math.min(within, longest)',
    replace: 'full: within',
    tests: ['runs/until-reached.test.ts'],
  },
  {
    name: 'pause-after-an-interruption-grows',
    file: 'runs/until-reached.ts',
    find: 'Math.min(longestPause, 2 * wait)',
    replace: '2 * wait',
    tests: ['runs/until-reached.test.ts'],
  },
  {
    name: 'node-left-waited-for',
    file: 'cluster/cluster-node.ts',
    find: 'if (waiting.node === node)',
    replace: 'if (waiting.node !== node)',
    tests: ['cluster/cluster-node.test.ts'],
  },
  {
    name: 'node-left-forgotten',
    file: 'cluster/cluster-node.ts',
    find: 'this.#left.add(node);',
    replace: '',
    tests: ['cluster/cluster-node.test.ts'],
  },
  {
    name: 'replay-forgotten-early',
    file: 'replay-store.ts',
    find: 'Math.ceil((now + ttl) / slotLength)',
    replace: 'Math.floor((now + ttl) / slotLength)',
    tests: ['replay-store.test.ts'],
  },
  {
    name: 'replay-of-another-owner',
    file: 'replay-store.ts',
    find: 'this.#owners.get(owner) ?? new Set();',
    replace: 'new Set<string>();',
    tests: ['replay-store.test.ts'],
  },
  {
    name: 'replay-count-never-falls',
    file: 'replay-store.ts',
    find: '      this.#size -= entries.length;\n',
    replace: '',
    tests: ['replay-store.test.ts'],
  },
  {
    name: 'request-number-reused',
    file: 'cluster/cluster-node.ts',
    find: 'const number = ++this.#lastRequest;',
    replace: 'const number = this.#lastRequest;',
    tests: ['cluster/cluster-node.test.ts'],
  },
  {
    name: 'own-broadcast-handled',
    file: 'cluster/cluster-node.ts',
    find: 'if (message.from === this.id) return;',
    replace: '',
    tests: ['cluster/cluster-node.test.ts'],
  },
]);
