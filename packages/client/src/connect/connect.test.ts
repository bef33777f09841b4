import { type Connection, latest, revisions } from '@tenon/mcp-protocol';
import { memoryPair } from '@tenon/mcp-transport-memory';
import { describe, expect, it } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { settled } from '../../../testing/src/fake-clock.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import { defineExtension } from '../extensions/define-extension.js';
import { connectMemory, memoryTarget } from '../memory.js';
import { connect } from './connect.js';

const info = { name: 'client', version: '1' };

describe.each(revisions.map((revision) => [revision.id, revision] as const))(
  'a server of %s',
  (_, revision) => {
    it('is found out, introduced, and called', async () => {
      showsBy(revision.id, {
        '2024-11-05': '2024-11-05/basic/versioning/several-versions',
        '2026-07-28': '2026-07-28/basic/index/process-not-a-conversation',
      });
      const server = new ScriptedServer(
        serverScript(revision, {
          'tools/call': (params) => ({ content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }),
        }),
      );
      const client = await connectMemory(server, { info });
      expect(client.state).toBe('open');
      expect(client.revision).toBe(revision.id);
      expect(client.server).toEqual({ name: 'scripted', version: '1' });
      expect(client.instructions).toBe('Be kind.');
      expect(await client.callTool('echo', { city: 'Oslo' })).toEqual({
        content: [{ type: 'text', text: '{"city":"Oslo"}' }],
        isError: false,
      });
      const opening = server.peer.methods.slice(0, -1);
      expect(opening).toEqual(
        revision.lifecycle === 'stateless'
          ? ['server/discover']
          : ['server/discover', 'initialize', 'notifications/initialized'],
      );
      await client.close();
      expect(client.state).toBe('closed');
    });
  },
);

describe('a signal', () => {
  const silent = () => ({ accept: () => undefined });

  it('gives up connecting', async () => {
    const giveUp = new AbortController();
    const connecting = connectMemory(silent(), { info, signal: giveUp.signal });
    giveUp.abort('enough');
    await expect(connecting).rejects.toMatchObject({ reason: 'cancelled', cause: 'enough' });
  });

  it('gives up a connection that does not open, and closes it if it opens after all', async () => {
    const giveUp = new AbortController();
    let open: (connection: Connection) => void = () => {};
    const opening = new Promise<Connection>((resolve) => (open = resolve));
    const connecting = connect(() => opening, { info, signal: giveUp.signal });
    const outcome = expect(connecting).rejects.toMatchObject({ reason: 'cancelled', cause: 'enough' });
    await Promise.resolve();
    giveUp.abort('enough');
    await outcome;
    const [near, far] = memoryPair();
    const heard: unknown[] = [];
    const closed = new Promise<void>((resolve) => {
      const receive = (frame: unknown) => void heard.push(frame);
      far.start({ receive: receive as () => undefined, malformed: () => undefined, closed: () => resolve() });
    });
    open(near);
    await closed;
    expect(heard).toEqual([]);
  });

  it('ends the probe without another attempt', async () => {
    const giveUp = new AbortController();
    let opened = 0;
    const open = () => {
      opened++;
      return memoryTarget(silent()).open();
    };
    const connecting = connect({ open, restartable: true }, { info, signal: giveUp.signal });
    const outcome = expect(connecting).rejects.toMatchObject({ reason: 'cancelled' });
    await settled();
    giveUp.abort();
    await outcome;
    await settled();
    expect(opened).toBe(1);
  });

  it('that is aborted already connects to nothing', async () => {
    const connecting = connectMemory(silent(), { info, signal: AbortSignal.abort('before') });
    await expect(connecting).rejects.toMatchObject({ reason: 'cancelled', cause: 'before' });
  });

  it('has no effect once connected', async () => {
    const later = new AbortController();
    const server = new ScriptedServer(serverScript(latest));
    const client = await connectMemory(server, { info, signal: later.signal });
    later.abort();
    expect(client.state).toBe('open');
    await client.close();
  });
});

describe('options', () => {
  it.each([undefined, {}, { info: { name: 'x' } }])('%j do not say who connects', async (options) => {
    const connecting = connectMemory({ accept: () => undefined }, options as never);
    await expect(connecting).rejects.toThrow('A client needs a name and a version');
  });
});

it('an extension counts where both ends declared it', async () => {
  shows('2024-11-05/architecture/extensions', '2026-07-28/basic/versioning/extension-fallback');
  const extensions = { 'com.example/both': { side: 'server' }, 'com.example/theirs': {} };
  const server = new ScriptedServer(serverScript(latest, {}, { extensions }));
  const ours = [
    defineExtension({ id: 'com.example/both', settings: { side: 'client' }, external: true }),
    defineExtension({ id: 'com.example/ours', external: true }),
  ];
  const client = await connectMemory(server, { info, extensions: ours });
  expect(client.extension('com.example/both')).toEqual({ side: 'server' });
  expect(client.extension('com.example/ours')).toBeUndefined();
  expect(client.extension('com.example/theirs')).toBeUndefined();
  await client.close();
});
