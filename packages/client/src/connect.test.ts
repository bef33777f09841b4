import { latest, revisions } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { ScriptedServer } from '../test/scripted-server.js';
import { serverScript } from '../test/scripts.js';
import { connectMemory } from './memory.js';

const info = { name: 'client', version: '1' };

describe.each(revisions.map((revision) => [revision.id, revision] as const))(
  'a server of %s',
  (_, revision) => {
    it('is found out, introduced, and called', async () => {
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
