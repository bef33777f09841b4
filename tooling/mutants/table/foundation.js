import { mutantsOf } from '../mutation.js';

const tests = ['cancellation.test.ts'];

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
]);
