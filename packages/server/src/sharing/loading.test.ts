import { expect, it, vi } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import { TestProcesses } from '../../test/processes.js';
import { latestHandshake, latestStateless, WirePeer } from '../../test/wire-peer.js';
import { createServer, type Server } from '../server.js';

const loads = vi.hoisted((): string[] => []);
vi.mock('../budget/shared-rate.js', () => {
  loads.push('rates');
  throw new TypeError('No such file.');
});

it('serves calls without the code for shared state', async () => {
  const server = createServer({ name: 'test', version: '1' }).tool('plain', {}, () => 'x') as Server;
  const peer = await WirePeer.open(server, latestStateless);
  expect((await peer.request('tools/call', { name: 'plain' })).result?.content?.[0]?.text).toBe('x');
  await settled();
  expect(loads).toEqual([]);
});

it('rejects the calls that need code which cannot be loaded, and reports it', async () => {
  const processes = new TestProcesses();
  const server = await processes.server({ rates: { by: () => 'ann' } });
  server.tool('plain', {}, () => 'x');
  const peer = await WirePeer.open(server, latestHandshake);
  expect((await peer.request('tools/call', { name: 'plain' })).error?.message).toBe('Internal error');
  expect((await peer.request('tools/list')).result).toBeDefined();
  expect(loads).toEqual(['rates']);
  expect(processes.errors.length).toBeGreaterThan(0);
  expect(processes.errors.every((error) => /mocking a module/.test(String(error)))).toBe(true);
});
