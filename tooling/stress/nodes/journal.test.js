import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Journal, Moment, readJournals } from './journal.js';

test('reads the moments and the steps of each call from the journals of all nodes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [first, second] = [new Journal(folder, 1), new Journal(folder, 2)];
  first.write(Moment.begun, 'charge', { number: 7 });
  first.write(Moment.stepRan, 'charge', { number: 7, step: 1 });
  second.write(Moment.begun, 'charge', { number: 7 });
  second.write(Moment.stepKept, 'charge', { number: 7, step: 1 });
  second.write(Moment.done, 'charge', { number: 7 });
  first.write(Moment.cancelled, 'wait', { number: 70_000 });
  second.complain('typed', 'Error: x');
  const { calls, complaints } = readJournals(folder);
  const at = expect.any(Number);
  expect(calls.get(7)).toEqual({
    ...{ tool: 'charge', begun: [1, 2], begunAt: [at, at], done: [2], doneAt: [at], cancelled: [] },
    ...{ ran: [{ step: 1, node: 1, at }], kept: [{ step: 1, node: 2, at }] },
  });
  expect(calls.get(70_000)).toMatchObject({ tool: 'wait', begun: [], cancelled: [1] });
  expect(complaints.typed).toEqual({ 'Error: x': 1 });
});
