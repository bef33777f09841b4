import { mutantsOf } from '../mutation.js';

/** Bugs of sign-out, and of the lock between processes. */
export const authStoreMutants = mutantsOf('auth', [
  {
    name: 'stale-lock-of-next-holder-removed',
    file: 'desktop/lock-file.ts',
    find: 'if ((await readLock(this.#path))?.state === state) await removed(this.#path);',
    replace: 'await removed(this.#path);',
    tests: [
      'desktop/lock-file.test.ts',
      'desktop/file-store-processes.test.ts',
      'desktop/file-store.test.ts',
    ],
  },
  {
    name: 'stale-lock-broken-by-two',
    file: 'desktop/lock-file.ts',
    find: '      if (other !== undefined && breaking.isDead(other)) await removed(path);\n      return false;',
    replace: '      await removed(path);\n      return true;',
    tests: [
      'desktop/lock-file.test.ts',
      'desktop/file-store-processes.test.ts',
      'desktop/file-store.test.ts',
    ],
  },
  {
    name: 'right-to-break-kept',
    file: 'desktop/lock-file.ts',
    find: '      await removed(path);\n      await right.file.close();',
    replace: '      await right.file.close();',
    tests: [
      'desktop/lock-file.test.ts',
      'desktop/file-store-processes.test.ts',
      'desktop/file-store.test.ts',
    ],
  },
  {
    name: 'holder-known-for-too-long',
    file: 'desktop/lock-file.ts',
    find: 'clock.now() - touched < stale / 2',
    replace: 'clock.now() - touched < stale * 200',
    tests: [
      'desktop/lock-file.test.ts',
      'desktop/file-store-processes.test.ts',
      'desktop/file-store.test.ts',
    ],
  },
  {
    name: 'lock-of-another-removed',
    file: 'desktop/lock-file.ts',
    find: '      if (seen?.holder?.token !== token) return;\n',
    replace: '',
    tests: [
      'desktop/lock-file.test.ts',
      'desktop/file-store-processes.test.ts',
      'desktop/file-store.test.ts',
    ],
  },
  {
    name: 'lock-tried-for-ever',
    file: 'desktop/lock-file.ts',
    find: 'if (clock.now() >= until)',
    replace: 'if (false)',
    tests: [
      'desktop/lock-file.test.ts',
      'desktop/file-store-processes.test.ts',
      'desktop/file-store.test.ts',
    ],
  },
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
