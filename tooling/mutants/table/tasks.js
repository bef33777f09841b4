import { mutantsOf } from '../mutation.js';

export const tasksMutants = mutantsOf('tasks', [
  {
    name: 'lost-lease-goes-on',
    file: 'server/task-worker.ts',
    find: 'if (this.#end === undefined) detach(this.#lose(), () => {});',
    replace: '',
    tests: ['server/lost-task.test.ts', 'server/task-lifetime.test.ts', 'server/task-steps.test.ts'],
  },
  {
    name: 'step-begins-without-a-look-at-the-state',
    file: 'server/task-worker.ts',
    find: 'if (step === undefined) await this.#reached(() => this.#check());',
    replace: '',
    tests: ['server/task-steps.test.ts', 'server/lost-task.test.ts'],
  },
  {
    name: 'end-not-fenced',
    file: 'server/task-worker.ts',
    find: 'store.change(this.record, end, this.#lease)',
    replace: 'store.change(this.record, end)',
    tests: ['server/lost-task.test.ts', 'server/task-lifetime.test.ts', 'server/full-state.test.ts'],
  },
  {
    name: 'steps-before-the-task-are-lost',
    file: 'server/task-call.ts',
    find: '      this.#steps.set(key, { value });\n',
    replace: '',
    tests: ['server/task-steps.test.ts', 'server/task-input.test.ts'],
  },
  {
    name: 'ended-task-changes',
    file: 'server/task-record.ts',
    find: '(isTerminal(record.status) ? record : change(record))',
    replace: 'change(record)',
    tests: ['server/task-record.test.ts'],
  },
  {
    name: 'taken-over-against-its-tool',
    file: 'server/take-over.ts',
    find: '!record.takeOver || record.call === undefined',
    replace: 'record.call === undefined',
    tests: ['server/take-over.test.ts'],
  },
  {
    name: 'task-of-a-full-list-made',
    file: 'server/task-store.ts',
    find: 'if (listed.length < perCaller)',
    replace: 'if (listed.length <= perCaller)',
    tests: ['server/task-lists.test.ts'],
  },
  {
    name: 'list-shortened-by-a-short-task',
    file: 'server/task-store.ts',
    find: 'Math.max(...listed.map(([, expires]) => expires))',
    replace: '(listed.at(-1)?.[1] ?? 0)',
    tests: ['server/task-lists.test.ts'],
  },
  {
    name: 'interval-stays-longer-after-a-failure',
    file: 'client/task-driver.ts',
    find: '      this.#failures = 0;\n      this.#backoff = 0;\n',
    replace: '      this.#failures = 0;\n',
    tests: ['client/task-failures.test.ts'],
  },
]);
