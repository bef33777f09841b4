import { idempotencyKey } from '@tenon/mcp-protocol/internal';
import { expect, it, vi } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import { TestProcesses } from '../../test/processes.js';
import { latestHandshake, latestStateless, WirePeer } from '../../test/wire-peer.js';
import { createServer, type Server } from '../server.js';

const loads = vi.hoisted((): string[] => []);
vi.mock('../journal/call-journal.js', () => {
  loads.push('journal');
  throw new TypeError('No such file.');
});
vi.mock('../budget/shared-rate.js', () => {
  loads.push('rates');
  throw new TypeError('No such file.');
});

const key = { [idempotencyKey]: 'one' };

it('serves calls without the code for shared state', async () => {
  const server = createServer({ name: 'test', version: '1' }).tool('plain', {}, () => 'x') as Server;
  const peer = await WirePeer.open(server, latestStateless);
  expect((await peer.request('tools/call', { name: 'plain' }, key)).result?.content?.[0]?.text).toBe('x');
  await settled();
  expect(loads).toEqual([]);
});

it('rejects the calls that need code which cannot be loaded, and reports it', async () => {
  const processes = new TestProcesses();
  const server = await processes.server({ rates: { by: () => 'ann' } });
  server.tool('plain', {}, () => 'x').tool('free', {}, () => 'x');
  const peer = await WirePeer.open(server, latestHandshake);
  expect((await peer.request('tools/call', { name: 'plain' })).error?.message).toBe('Internal error');
  expect((await peer.request('tools/list')).result).toBeDefined();
  expect(loads.sort()).toEqual(['journal', 'rates']);
  const unlimited = await processes.server({ rates: false });
  unlimited.tool('plain', {}, () => 'x');
  const repeating = await WirePeer.open(unlimited, latestStateless);
  const failed = await repeating.request('tools/call', { name: 'plain' }, key);
  expect(failed.error?.message).toBe('Internal error');
  expect((await repeating.request('tools/call', { name: 'plain' })).result).toBeDefined();
  expect(processes.errors.length).toBeGreaterThan(0);
  expect(processes.errors.every((error) => /mocking a module/.test(String(error)))).toBe(true);
});
