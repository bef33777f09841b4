import { mutantsOf } from '../mutation.js';

export const stateRedisMutants = mutantsOf('state-redis', [
  {
    name: 'earlier-version-by-its-beginning',
    file: 'data/redis-kv.ts',
    find: '0, #ARGV[4] - 1) ~= ARGV[4]',
    replace: '0, #ARGV[4] - 2) ~= string.sub(ARGV[4], 1, -2)',
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
