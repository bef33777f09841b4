import { mutantsOf } from '../mutation.js';

/** Bugs of sign-out. */
export const authStoreMutants = mutantsOf('auth', [
  {
    name: 'read-survives-sign-out',
    file: 'tokens/server-tokens.ts',
    find: 'if (era !== this.#era || this.#held !== before ||',
    replace: 'if (this.#held !== before ||',
    tests: [
      'tokens/server-tokens.test.ts',
      'tokens/server-tokens-races.test.ts',
      'tokens/server-authorizer.test.ts',
      'providers/oauth.test.ts',
    ],
  },
  {
    name: 'sign-out-keeps-refused-scopes',
    file: 'tokens/server-tokens.ts',
    find: '    refused.clear();\n',
    replace: '',
    tests: [
      'tokens/server-authorizer-scopes.test.ts',
      'tokens/server-authorizer.test.ts',
      'providers/oauth.test.ts',
      'tokens/server-tokens.test.ts',
    ],
  },
  {
    name: 'sign-out-during-sign-in-ignored',
    file: 'tokens/server-tokens.ts',
    find: 'if (era !== this.#era) throw new AuthError',
    replace: 'if (era === -1) throw new AuthError',
    tests: ['tokens/server-tokens-races.test.ts'],
  },
]);
