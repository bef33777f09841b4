import { mutantsOf } from '../mutation.js';

/** Bugs of sign-out, and of the lock between processes. */
export const authStoreMutants = mutantsOf('auth', [
  {
    name: 'stale-lock-of-next-holder-removed',
    file: 'desktop/store/lock-file.ts',
    find: 'if ((await readLock(this.#path))?.state === state) await removed(this.#path);',
    replace: 'await removed(this.#path);',
    tests: [
      'desktop/store/lock-file.test.ts',
      'desktop/store/file-store-processes.test.ts',
      'desktop/store/file-store.test.ts',
    ],
  },
  {
    name: 'stale-lock-broken-by-two',
    file: 'desktop/store/lock-file.ts',
    find: '      if (other !== undefined && breaking.isDead(other)) await removed(path);\n      return false;',
    replace: '      await removed(path);\n      return true;',
    tests: [
      'desktop/store/lock-file.test.ts',
      'desktop/store/file-store-processes.test.ts',
      'desktop/store/file-store.test.ts',
    ],
  },
  {
    name: 'right-to-break-kept',
    file: 'desktop/store/lock-file.ts',
    find: '      await removed(path);\n      await right.file.close();',
    replace: '      await right.file.close();',
    tests: [
      'desktop/store/lock-file.test.ts',
      'desktop/store/file-store-processes.test.ts',
      'desktop/store/file-store.test.ts',
    ],
  },
  {
    name: 'holder-known-for-too-long',
    file: 'desktop/store/lock-file.ts',
    find: 'clock.now() - touched < stale / 2',
    replace: 'clock.now() - touched < stale * 200',
    tests: [
      'desktop/store/lock-file.test.ts',
      'desktop/store/file-store-processes.test.ts',
      'desktop/store/file-store.test.ts',
    ],
  },
  {
    name: 'lock-of-another-removed',
    file: 'desktop/store/lock-file.ts',
    find: '      if (seen?.holder?.token !== token) return;\n',
    replace: '',
    tests: [
      'desktop/store/lock-file.test.ts',
      'desktop/store/file-store-processes.test.ts',
      'desktop/store/file-store.test.ts',
    ],
  },
  {
    name: 'lock-tried-for-ever',
    file: 'desktop/store/lock-file.ts',
    find: 'if (clock.now() >= until)',
    replace: 'if (false)',
    tests: [
      'desktop/store/lock-file.test.ts',
      'desktop/store/file-store-processes.test.ts',
      'desktop/store/file-store.test.ts',
    ],
  },
  {
    name: 'read-survives-sign-out',
    file: 'client/tokens/server-tokens.ts',
    find: 'if (era !== this.#era || this.#held !== before ||',
    replace: 'if (this.#held !== before ||',
    tests: [
      'client/tokens/server-tokens.test.ts',
      'client/tokens/server-tokens-races.test.ts',
      'client/authorizer/server-authorizer.test.ts',
      'client/providers/oauth.test.ts',
    ],
  },
  {
    name: 'sign-out-keeps-refused-scopes',
    file: 'client/tokens/server-tokens.ts',
    find: '    refused.clear();\n',
    replace: '',
    tests: [
      'client/authorizer/server-authorizer-scopes.test.ts',
      'client/authorizer/server-authorizer.test.ts',
      'client/providers/oauth.test.ts',
      'client/tokens/server-tokens.test.ts',
    ],
  },
  {
    name: 'sign-out-during-sign-in-ignored',
    file: 'client/tokens/server-tokens.ts',
    find: 'if (era !== this.#era) throw new AuthError',
    replace: 'if (era === -1) throw new AuthError',
    tests: ['client/tokens/server-tokens-races.test.ts'],
  },
]);
