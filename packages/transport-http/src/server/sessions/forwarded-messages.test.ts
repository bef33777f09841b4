import { expect, it } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeProcesses } from '../../../test/fake-processes.js';

const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };

it.each([
  ['of two messages', '2025-03-26', 2, 2],
  ['with more messages than a batch may have', '2025-03-26', 1_001, 0],
  ['in a revision without batches', '2025-11-25', 2, 0],
])('forwards a batch %s (%s, %i)', async (...row) => {
  const [, revision, count, forwarded] = row;
  const processes = new FakeProcesses();
  const [first, second] = [await processes.process(), await processes.process()];
  const session = await first.opened(revision);
  const before = first.application.last.values.length;
  await second.post(Array(count).fill(cancelled), session).done();
  await settled();
  expect(first.application.last.values).toHaveLength(before + forwarded);
  // The application rejects a batch that it does not accept.
  expect(second.application.last.values.at(-1)).toHaveLength(count);
});

it.each([
  ['a request', { session: 'id', message: { jsonrpc: '2.0', id: 1, method: 'tools/call' } }],
  ['a list', { session: 'id', message: [cancelled] }],
  ['no message', { session: 'id' }],
  ['no session', null],
])('ignores a forwarded message that is %s', async (_title, body) => {
  const processes = new FakeProcesses();
  const first = await processes.process();
  const session = await first.opened();
  const before = first.application.last.values.length;
  const given = body && { ...body, session: session['mcp-session-id'] };
  const text = JSON.stringify({ kind: 'session/message', from: 'aaaaaaaaaaaa', body: given });
  await processes.state.bus.publish('cluster/nodes', text);
  await settled();
  expect(first.application.last.values).toHaveLength(before);
  expect(first.errors).toEqual([]);
});
