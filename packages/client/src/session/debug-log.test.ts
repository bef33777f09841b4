import { revision20251125 } from '@tenon/mcp-protocol/internal';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { type Script, ScriptedServer, WireRefusal } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import type { ClientOptions } from '../options.js';

afterEach(() => vi.restoreAllMocks());

async function debugged(script: Script, options: Partial<ClientOptions> = {}) {
  const lines: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
  const clock = new FakeClock();
  const server = new ScriptedServer(serverScript(revision20251125, script));
  const { id: revision } = revision20251125;
  const client = await linked(server, { debug: true, clock, random: () => 1, revision, ...options });
  return { lines, clock, server, client };
}

describe('connect with debug: true', () => {
  it('writes each message sent and received, with method, id and duration', async () => {
    let answer = (_: object) => {};
    const { lines, clock, client } = await debugged({
      'tools/call': () => new Promise<object>((resolve) => (answer = resolve)) as never,
      'tools/list': () => new WireRefusal(-32602, 'No such cursor'),
    });
    expect(lines.map((line) => line.split(' {')[0])).toEqual([
      '[tenon] --> initialize #1',
      '[tenon] <-- initialize #1 in 0 ms',
      '[tenon] --> notifications/initialized',
      '[tenon] open',
    ]);
    lines.length = 0;
    const call = client.callTool('search', { text: 'milk' });
    await settled();
    await clock.advance(12);
    answer({ content: [] });
    await call;
    await expect(client.request('tools/list', {})).rejects.toThrow('No such cursor');
    expect(lines).toEqual([
      '[tenon] --> tools/call #2 {"name":"search","arguments":{"text":"milk"},"_meta":{"progressToken":2}}',
      '[tenon] <-- tools/call #2 in 12 ms {"content":[]}',
      '[tenon] --> tools/list #3',
      '[tenon] <-- tools/list #3 in 0 ms error {"code":-32602,"message":"No such cursor"}',
    ]);
  });

  it('writes requests of the server and their answers', async () => {
    const { lines, server } = await debugged({}, { roots: [{ uri: 'file:///a' }] });
    lines.length = 0;
    await server.peer.ask('roots/list');
    server.peer.notify('notifications/\u001b[2Jx');
    await settled();
    expect(lines).toEqual([
      '[tenon] <-- roots/list #"ask-1" {}',
      '[tenon] --> roots/list #"ask-1" in 0 ms {"roots":[{"uri":"file:///a"}]}',
      '[tenon] <-- notifications/x {}',
    ]);
  });

  it('leaves out credentials and what is longer than 1,000 characters', async () => {
    const { lines, client } = await debugged({ 'tools/call': () => ({ content: [] }) });
    lines.length = 0;
    await client.callTool('search', { password: 'hunter2', text: 'x'.repeat(2_000) });
    expect(lines[0]).toContain('"password":"[redacted]"');
    expect(lines[0]).toMatch(/x… \(1\d\d\d more characters\)$/);
    expect(lines[0]?.length).toBeLessThan(1_100);
  });

  it('writes changes of state and errors, also those that onError receives', async () => {
    const onError = vi.fn();
    const { lines, server } = await debugged({}, { onError });
    lines.length = 0;
    server.peer.respond(77, {});
    await server.peer.die();
    await settled();
    expect(onError).toHaveBeenCalledTimes(1);
    expect(lines[0]).toBe('[tenon] <-- #77 {}');
    expect(lines[1]).toMatch(/^\[tenon\] .*: SessionError: /);
    expect(lines[2]).toBe('[tenon] reconnecting');
  });

  it('writes nothing by default', async () => {
    const { lines } = await debugged({}, { debug: false });
    expect(lines).toEqual([]);
  });
});
