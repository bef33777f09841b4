import { expect, it, vi } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeProcesses } from '../../../test/fake-processes.js';
import { FakeService, opening, request } from '../../../test/fake-service.js';

const shared = vi.hoisted(() => ({ loads: 0 }));
vi.mock('./shared-sessions.js', () => {
  shared.loads++;
  throw new TypeError('No such file.');
});

it('serves sessions of one process without the code of shared ones', async () => {
  const service = new FakeService();
  const session = service.open();
  expect(service.post(request(1, 'ping'), session).status).toBe(200);
  await settled();
  expect(shared.loads).toBe(0);
});

it('rejects requests of sessions, and reports it once, when the code of shared sessions cannot be loaded', async () => {
  const process = await new FakeProcesses().process();
  const id = { 'mcp-session-id': 'a'.repeat(48) };
  const calls = [
    process.post(opening()),
    process.post(request(1, 'ping'), id),
    process.get(id),
    process.delete(id),
  ];
  await Promise.all(calls.map((call) => call.done()));
  expect(calls.map(({ status }) => status)).toEqual([500, 500, 500, 500]);
  expect(shared.loads).toBe(1);
  expect(process.errors).toMatchObject([{ where: 'state' }]);
  expect(process.service.sessions).toBe(0);
});
