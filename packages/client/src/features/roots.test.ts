import { revision20250618, revision20260728 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { settled } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';

it('lists the roots, replaces them, and notifies the server', async () => {
  shows('2024-11-05/client/roots/list-changed', '2026-07-28/client/roots/permitted');
  const server = new ScriptedServer(serverScript(revision20250618));
  const client = await linked(server, { roots: [{ uri: 'file:///a' }] });
  expect((await server.peer.ask('roots/list')).result).toEqual({ roots: [{ uri: 'file:///a' }] });
  await client.setRoots(async () => [{ uri: 'file:///b' }]);
  await settled();
  expect(server.peer.methods).toContain('notifications/roots/list_changed');
  expect((await server.peer.ask('roots/list')).result).toEqual({ roots: [{ uri: 'file:///b' }] });
});

it('sends no notification in a revision without one', async () => {
  const server = new ScriptedServer(serverScript(revision20260728));
  const client = await linked(server, { roots: [] });
  await client.setRoots([{ uri: 'file:///b' }]);
  await settled();
  expect(server.peer.methods).toEqual(['server/discover']);
});

it.each([
  'file:///home/../etc',
  'file:///home/%2E%2e/etc',
  'file:///home/..',
  'file:///home\\..\\etc',
  'file://[',
  '/a',
])('a root that leads out of itself or is not a URI, as %s, is refused', async (uri) => {
  shows('2024-11-05/client/roots/uris-validated');
  showsBy(uri, {
    'file:///home/%2E%2e/etc': '2026-07-28/client/roots/validate-uris',
    'file:///home/../etc': '2026-07-28/client/roots/validate-uris',
  });
  const server = new ScriptedServer(serverScript(revision20250618));
  await expect(linked(server, { roots: [{ uri }] })).rejects.toThrow(TypeError);
  await linked(server, { roots: () => [{ uri }] });
  expect((await server.peer.ask('roots/list')).error?.code).toBe(-32603);
});

it.each<unknown>(['file:///a', { uri: 'file:///a' }, ['file:///a'], [{}], [null]])(
  '%j are not roots',
  async (roots) => {
    const server = new ScriptedServer(serverScript(revision20250618));
    const connecting = linked(server, { roots: roots as never });
    await expect(connecting).rejects.toThrow(/^Roots are a list|^A root must be/);
  },
);

it('roots must be files, and must have been declared', async () => {
  shows(
    '2024-11-05/client/roots/file-uri',
    '2026-07-28/client/roots/file-uri',
    '2026-07-28/client/roots/permitted',
    '2026-07-28/client/roots/access-controls',
  );
  const server = new ScriptedServer(serverScript(revision20250618));
  await expect(linked(server, { roots: [{ uri: 'https://a' }] })).rejects.toThrow(TypeError);
  const client = await linked(server);
  await expect(client.setRoots([])).rejects.toThrow('not declared');
});
