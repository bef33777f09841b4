import { mutantsOf } from '../mutation.js';

export const stateRedisMutants = mutantsOf('state-redis', [
  {
    name: 'earlier-version-by-its-beginning',
    file: 'data/redis-kv.ts',
    find: "{expected} `]",
    replace: "{expected}`]",
    tests: ['data/redis-kv.test.ts'],
  },
]);

export const statePostgresMutants = mutantsOf('state-postgres', [
  {
    name: 'publisher-stops-after-an-error',
    file: 'bus/publisher.ts',
    find: 'for (const { reject } of batch) reject(error);',
    replace: 'for (const { reject } of batch) reject(error);\n        return;',
    tests: ['bus/publisher.test.ts'],
  },
]);
