import { mutantsOf } from '../mutation.js';

const tests = ['cancellation.test.ts'];
const lockTests = [
  'files/lock-file.test.ts',
  '../../auth/src/desktop/file-store-processes.test.ts',
  '../../auth/src/desktop/file-store.test.ts',
];

export const foundationMutants = mutantsOf('foundation', [
  {
    name: 'aborted-signal-is-waited-for',
    file: 'cancellation.ts',
    find: '  if (signal?.aborted) task();\n  else signal',
    replace: '  signal',
    tests,
  },
  {
    name: 'listener-never-removed',
    file: 'cancellation.ts',
    find: '  } finally {\n    release();\n  }',
    replace: '  } finally {\n  }',
    tests,
  },
  {
    name: 'time-limit-not-applied',
    file: 'cancellation.ts',
    find: 'return await Promise.race([work, over]);',
    replace: 'return await work;',
    tests,
  },
  {
    name: 'time-limit-never-cancelled',
    file: 'cancellation.ts',
    find: '    return await Promise.race([work, over]);\n  } finally {\n    cancel();',
    replace: '    return await Promise.race([work, over]);\n  } finally {',
    tests,
  },
  {
    name: 'pause-keeps-its-timer',
    file: 'cancellation.ts',
    find: '      cancel();\n      release();\n      resolve();',
    replace: '      release();\n      resolve();',
    tests,
  },
  {
    name: 'deadline-leaves-the-caller',
    file: 'cancellation.ts',
    find: 'const release = onAbort(signal, () => stop.abort(aborted(signal?.reason)));',
    replace: 'const release = () => {};',
    tests,
  },
  {
    name: 'misspelt-option-accepted',
    file: 'options/option-rules.ts',
    find: 'if (rule === undefined) {',
    replace: 'if (false) {',
    tests: ['options/option-rules.test.ts'],
  },
  {
    name: 'stale-lock-of-next-holder-removed',
    file: 'files/lock-file.ts',
    find: 'if ((await readLock(this.#path))?.state === state) await removed(this.#path);',
    replace: 'await removed(this.#path);',
    tests: lockTests,
  },
  {
    name: 'stale-lock-broken-by-two',
    file: 'files/lock-file.ts',
    find: '      if (other !== undefined && breaking.isDead(other)) await removed(path);\n      return false;',
    replace: '      await removed(path);\n      return true;',
    tests: lockTests,
  },
  {
    name: 'right-to-break-kept',
    file: 'files/lock-file.ts',
    find: '      await removed(path);\n      await right.file.close();',
    replace: '      await right.file.close();',
    tests: lockTests,
  },
  {
    name: 'holder-known-for-too-long',
    file: 'files/lock-file.ts',
    find: 'clock.now() - touched < stale / 2',
    replace: 'clock.now() - touched < stale * 200',
    tests: lockTests,
  },
  {
    name: 'lock-of-another-removed',
    file: 'files/lock-file.ts',
    find: '      if (seen?.holder?.token !== token) return;\n',
    replace: '',
    tests: lockTests,
  },
  {
    name: 'lock-tried-for-ever',
    file: 'files/lock-file.ts',
    find: 'if (clock.now() >= until)',
    replace: 'if (false)',
    tests: lockTests,
  },
  {
    name: 'private-file-open-to-others',
    file: 'files/private-file.ts',
    find: '(stats.mode & 0o077) !== 0',
    replace: '(stats.mode & 0o007) !== 0',
    tests: ['../../auth/src/desktop/file-store.test.ts'],
  },
  {
    name: 'private-file-of-another-user',
    file: 'files/private-file.ts',
    find: 'if (stats.uid !== user) {',
    replace: 'if (false) {',
    tests: ['../../auth/src/desktop/file-store.test.ts'],
  },
]);
