import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Child,
  type ChildProgram,
  childProgram,
} from '../../../../tooling/suite/services/child-program.js';
import { verifyAudit } from './verify-audit.js';

let program: ChildProgram;
beforeAll(async () => {
  program = await childProgram(new URL('../../test/audit-process.ts', import.meta.url));
});
afterAll(() => program.end());

/** Reads the ids that a process prints, until it ends, or kills it after some of them. */
async function idsOf(child: Child, most = Number.POSITIVE_INFINITY): Promise<string[]> {
  const ids: string[] = [];
  for (let line = await child.line(); line !== undefined; line = await child.line()) {
    if (line === 'ready' || line === 'done') continue;
    ids.push(line);
    if (ids.length === most) child.signal('SIGKILL');
  }
  return ids;
}

async function storedIds(path: string): Promise<string[]> {
  const ids: string[] = [];
  const { problem } = await verifyAudit(path, { onRecord: ({ id }) => ids.push(id) });
  expect(problem).toBeUndefined();
  return ids;
}

it('keeps the records of three processes in one intact log, over several files', async () => {
  const path = join(program.folder, 'shared.jsonl');
  const children = ['a', 'b', 'c'].map((name) => program.start(path, name, '120'));
  const printed = await Promise.all(children.map((child) => idsOf(child)));
  expect(printed.map(({ length }) => length)).toEqual([120, 120, 120]);
  expect((await storedIds(path)).sort()).toEqual(printed.flat().sort());
});

it('loses no record that was written when processes are killed, and goes on after them', async () => {
  const path = join(program.folder, 'killed.jsonl');
  const written: string[] = [];
  for (let round = 0; round < 4; round++) {
    const killed = program.start(path, `killed${round}`, '100000');
    const other = program.start(path, `other${round}`, '40');
    written.push(...(await Promise.all([idsOf(killed, 10 + 7 * round), idsOf(other)])).flat());
  }
  expect(await storedIds(path)).toEqual(expect.arrayContaining(written));
});
