import { mutantsOf } from '../mutation.js';

export const authLockMutants = mutantsOf('auth', [
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
]);
