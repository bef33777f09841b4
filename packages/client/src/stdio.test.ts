import { expect, it } from 'vitest';
import { shows } from '../../../tooling/suite/shows.js';
import { connect } from './connect/connect.js';
import { stdioTarget } from './stdio.js';

const info = { name: 'client', version: '1' };

// A server of the handshake kind that exits on what it does not know, `server/discover` included.
const program = `
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === 'initialize') {
      const serverInfo = { name: 'child', version: '1' };
      send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
    } else if (method === 'tools/call' && params.name === 'pid') {
      send({ id, result: { content: [{ type: 'text', text: String(process.pid) }] } });
    } else if (id !== undefined) {
      console.error('I do not know ' + method);
      process.exit(3);
    }
  });
`;

it('a child that dies on the probe, and later, is started again', async () => {
  shows('2024-11-05/basic/transports/stdio-supported', '2026-07-28/basic/transports/stdio/restart');
  const states: string[] = [];
  const client = await connect(
    { command: process.execPath, args: ['-e', program] },
    { info, onState: ({ state }) => states.push(state) },
  );
  const pid = async () => (await client.callTool('pid')).content[0];
  const first = await pid();
  await expect(client.callTool('crash')).rejects.toMatchObject({ reason: 'closed' });
  const second = await pid();
  expect(second).not.toEqual(first);
  expect(states).toEqual(['open', 'reconnecting', 'open']);
  await client.close();
  expect(client.state).toBe('closed');
});

it('a command that does not exist is named', async () => {
  const target = stdioTarget({ command: 'no-such-command-of-any-kind' });
  await expect(connect(target, { info })).rejects.toThrow(/no-such-command-of-any-kind/);
});

it('rejects with the stderr output of a child that cannot start', async () => {
  const target = { command: process.execPath, args: ['-e', 'console.error("no licence"); process.exit(1)'] };
  await expect(connect(target, { info })).rejects.toThrow(/no licence/);
});

it('connecting that is cancelled tells what the child printed on stderr', async () => {
  const stop = new AbortController();
  const program = 'console.error("Waiting for the licence server"); process.stdin.resume()';
  const target = stdioTarget({
    command: process.execPath,
    args: ['-e', program],
    stderr: () => stop.abort('enough'),
  });
  const connection = await target.open();
  await expect(
    connect({ ...target, open: () => connection }, { info, signal: stop.signal }),
  ).rejects.toMatchObject({
    reason: 'cancelled',
    message:
      "Connecting was cancelled by its caller. The server's last lines on stderr:\n  Waiting for the licence server",
    cause: 'enough',
  });
  await connection.close();
});
