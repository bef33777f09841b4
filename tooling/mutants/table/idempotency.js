import { mutantsOf } from '../mutation.js';

export const idempotencyMutants = mutantsOf('idempotency', [
  {
    name: 'record-of-unknown-form-is-read',
    file: 'server/call-record.ts',
    find: "isRecord(record) && typeof record.digest === 'string' && isRecord(record.steps)",
    replace: 'record !== undefined',
    tests: ['server/call-journal.test.ts'],
  },
  {
    name: 'attempt-of-a-running-call-begins',
    file: 'server/attempt.ts',
    find: 'running = found.holder === gone ? undefined : found.holder;',
    replace: 'running = undefined;',
    tests: ['server/call-journal.test.ts'],
  },
  {
    name: 'continued-attempt-goes-on',
    file: 'server/attempt.ts',
    find: 'if (this.#isLost) throw continued();',
    replace: '',
    tests: ['server/call-journal.test.ts', 'server/outage.test.ts'],
  },
  {
    name: 'step-answered-without-its-value',
    file: 'server/attempt.ts',
    find: 'if (this.#isRepeatable) return report(error);',
    replace: 'return report(error);',
    tests: ['server/outage.test.ts'],
  },
  {
    name: 'step-not-kept-is-an-outcome',
    file: 'server/attempt.ts',
    find: '&& !this.#hasUnkept',
    replace: '',
    tests: ['server/outage.test.ts'],
  },
  {
    name: 'key-replaced',
    file: 'client.ts',
    find: ' || _meta?.[idempotencyKey] !== undefined',
    replace: '',
    tests: ['client/journaled-calls.test.ts'],
  },
  {
    name: 'call-without-key-repeated',
    file: 'client.ts',
    find: 'params._meta?.[idempotencyKey] !== undefined && options?.idempotent !== false',
    replace: 'options?.idempotent === false',
    tests: ['client/journaled-calls.test.ts'],
  },
]);
