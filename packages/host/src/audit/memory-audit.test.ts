import { expect, it } from 'vitest';
import { recordOf } from '../../test/audit-records.js';
import { memoryAudit } from './memory-audit.js';

it('returns the latest 1,000 records', () => {
  const log = memoryAudit();
  for (let id = 0; id <= 1_000; id++) log.append(recordOf(`${id}`));
  expect(log.records.map(({ id }) => id)).toEqual(Array.from({ length: 1_000 }, (_, at) => `${at + 1}`));
});

it('masks secrets, cuts long texts, and leaves out a long input', () => {
  const log = memoryAudit();
  log.append(recordOf('a', 'done', { input: { password: 'hunter2', text: 'x'.repeat(5_000) } }));
  log.append(recordOf('b', 'done', { input: Array.from({ length: 9_000 }, () => '12345678') }));
  expect(log.records[0]?.input).toEqual({
    password: '[redacted]',
    text: `${'x'.repeat(4_096)}… (904 more characters)`,
  });
  expect(log.records[1]?.input).toMatch(/^\(\d+ characters left out\)$/);
});

it('returns copies of the records', () => {
  const log = memoryAudit();
  const record = recordOf('a', 'done', { input: { count: 1 } });
  log.append(record);
  Object.assign(record.input as object, { count: 2 });
  (log.records as unknown[]).length = 0;
  expect(log.records).toEqual([recordOf('a', 'done', { input: { count: 1 } })]);
});
