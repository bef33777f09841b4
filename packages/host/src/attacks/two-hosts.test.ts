import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { wireTool, withMalicious } from '../../test/malicious.js';
import { auditFile } from '../files/audit-file.js';
import { fileGrants } from '../files/file-grants.js';
import { verifyAudit } from '../files/verify-audit.js';

it('keeps one intact audit log and all answers of two hosts that share their files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-hosts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [log, grants] = [join(folder, 'audit.jsonl'), join(folder, 'grants.json')];
  const tools = Array.from({ length: 8 }, (_, index) =>
    wireTool(`run${index}`, { description: `Runs ${index}` }),
  );
  const create = (answer: 'always' | 'never') =>
    withMalicious({ tools, answer, audit: auditFile(log), grants: fileGrants(grants) });
  const [one, other] = [create('always'), create('never')];
  const call = ({ host }: typeof one, tool: number) =>
    host.callTool({ server: 'evil', tool: `run${tool}` }, { password: 'hunter2' }).catch(() => undefined);
  await Promise.all([0, 1, 2, 3].flatMap((tool) => [call(one, tool), call(other, tool + 4)]));
  await one.goodServersWork();
  await Promise.all([one.host.close(), other.host.close()]);
  const records: string[] = [];
  const { problem } = await verifyAudit(log, {
    onRecord: ({ id, outcome }) => records.push(`${id} ${outcome}`),
  });
  expect(problem).toBeUndefined();
  expect(records.filter((record) => record.endsWith('done'))).toHaveLength(4 + 2);
  expect(records.filter((record) => record.endsWith('refused'))).toHaveLength(4);
  expect(readFileSync(log, 'utf8')).not.toContain('hunter2');
  // A later host has the answers of both, and asks nothing.
  const later = withMalicious({ tools, grants: fileGrants(grants) });
  const outcomes = await Promise.all(
    tools.map(({ name }) =>
      later.host.callTool({ server: 'evil', tool: String(name) }).then(
        () => 'ran',
        ({ reason }: { reason: string }) => reason,
      ),
    ),
  );
  expect(outcomes).toEqual([...Array(4).fill('ran'), ...Array(4).fill('denied')]);
  expect(later.questions).toEqual([]);
  // Nor does it take a changed tool for the one that was agreed to.
  const changed = withMalicious({ tools: [wireTool('run0')], grants: fileGrants(grants), answer: 'no' });
  await expect(changed.host.callTool('evil__run0')).rejects.toMatchObject({ reason: 'denied' });
  expect(changed.questions).toMatchObject([{ change: { kind: 'changed' } }]);
});
