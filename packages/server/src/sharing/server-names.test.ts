import { serverPort } from '@tenon/mcp-protocol';
import type { State } from '@tenon/mcp-state';
import { SharedMemory } from '@tenon/mcp-state/internal';
import { expect, it, onTestFinished } from 'vitest';
import { createServer, type Server } from '../server.js';

async function serverOf(name: string, version: string, state: State) {
  const server = createServer({ name, version }, { state }) as Server;
  onTestFinished(() => server.close());
  await server[serverPort].processes?.joined;
  return server;
}

it('keeps servers with different names apart, in one state value and in one backend, whatever their versions', async () => {
  const memory = new SharedMemory();
  const state = memory.open();
  const orders = await serverOf('orders', '1.0.0', state);
  const others = {
    sameValue: await serverOf('bills', '1.0.0', state),
    sameBackend: await serverOf('orders 2', '1.0.0', memory.open()),
    nextVersion: await serverOf('orders', '2.0.0', memory.open()),
  };
  await orders[serverPort].processes?.state.kv.put('session/a/record', 'of orders');
  const received: string[] = [];
  for (const [
    name,
    {
      [serverPort]: { processes },
    },
  ] of Object.entries(others))
    processes?.handle('news', () => void received.push(name));
  await orders[serverPort].processes?.broadcast('news', null);
  const found = Object.entries(others).map(
    async ([
      name,
      {
        [serverPort]: { processes },
      },
    ]) => [name, (await processes?.state.kv.get('session/a/record'))?.value],
  );
  expect(Object.fromEntries(await Promise.all(found))).toEqual({
    sameValue: undefined,
    sameBackend: undefined,
    nextVersion: 'of orders',
  });
  expect(received).toEqual(['nextVersion']);
});
