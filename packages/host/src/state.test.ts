import { memoryState } from '@tenon/mcp-state';
import { SharedMemory } from '@tenon/mcp-state/internal';
import { describe, expect, it } from 'vitest';
import { wireTool, withMalicious } from '../test/malicious.js';
import { stateGrants } from './state.js';

describe('answers in state', () => {
  it('hold for hosts in other processes, until the tool changes', async () => {
    const shared = new SharedMemory();
    const open = (tool: ReturnType<typeof wireTool>, answer: 'always' | 'never' | 'no') =>
      withMalicious({ tools: [tool], answer, grants: stateGrants(shared.open()) });
    const [one, other] = [open(wireTool('run'), 'always'), open(wireTool('run'), 'no')];
    await one.host.callTool('evil__run');
    await other.host.callTool('evil__run');
    expect([one.questions.length, other.questions.length]).toEqual([1, 0]);
    // Those of a user are not those of the next one.
    await expect(other.host.callTool('evil__run', {}, { user: 'other' })).rejects.toMatchObject({
      reason: 'denied',
    });
    const changed = open(wireTool('run', { description: 'Other' }), 'never');
    await expect(changed.host.callTool('evil__run')).rejects.toMatchObject({ reason: 'denied' });
    expect(changed.questions).toMatchObject([{ change: { kind: 'changed' } }]);
  });

  it('of hosts that ask at once are all kept', async () => {
    const shared = new SharedMemory();
    const tools = ['a', 'b', 'c', 'd'].map((name) => wireTool(name));
    const hosts = tools.map(() =>
      withMalicious({ tools, answer: 'always', grants: stateGrants(shared.open()) }),
    );
    await Promise.all(hosts.map(({ host }, at) => host.callTool(`evil__${tools[at]?.name}`)));
    const later = withMalicious({ tools, answer: 'no', grants: stateGrants(shared.open()) });
    for (const { name } of tools) await later.host.callTool(`evil__${name}`);
    expect(later.questions).toEqual([]);
  });

  it('that cannot be reached refuse the request, and it goes on afterwards', async () => {
    const shared = new SharedMemory();
    const { host, server } = withMalicious({ answer: 'always', grants: stateGrants(shared.open()) });
    await host.tools();
    shared.interrupt();
    await expect(host.callTool('evil__run')).rejects.toMatchObject({ name: 'StateError' });
    expect(server.peer.methods).not.toContain('tools/call');
    shared.restore();
    await host.callTool('evil__run');
  });

  it('are not read from a value of another program', async () => {
    const shared = new SharedMemory();
    const { kv } = shared.open();
    const grants = stateGrants({
      kv: { ...kv, get: async () => ({ value: 'not JSON', version: '1' }) } as typeof kv,
    });
    const { host } = withMalicious({ answer: 'always', grants });
    await expect(host.callTool('evil__run')).rejects.toThrow('is not of this program');
  });

  it('need a state', () => {
    expect(() => stateGrants({} as never)).toThrow('stateGrants() takes a state');
    expect(() => stateGrants(memoryState())).not.toThrow();
  });
});
