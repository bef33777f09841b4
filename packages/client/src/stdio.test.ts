import { expect, it } from 'vitest';
import { shows } from '../../../tooling/suite/shows.js';
import { FakeClock } from '../../testing/src/fake-clock.js';
import { connect } from './connect.js';
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
    { info, onStateChange: ({ state }) => states.push(state) },
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

const stray = 'It printed on stdout, where only messages belong (logs go to stderr):';

it.each([
  ['a banner', 'console.log("Listening on \\u001b[1mport 80")', 'Listening on port 80'],
  ['a text without a newline', 'process.stdout.write("Listening")', 'Listening'],
  ['a line of a logger', 'console.log(JSON.stringify({ level: 30, msg: "up" }))', '{"level":30,"msg":"up"}'],
])('rejects with %s that a child printed on stdout before it ended', async (_, print, line) => {
  const target = { command: process.execPath, args: ['-e', print] };
  await expect(connect(target, { info })).rejects.toThrow(
    new RegExp(`exited with code 0 before it sent a message\\.\n${escaped(`${stray}\n  ${line}`)}$`),
  );
});

it('rejects with the first lines of a long output on stdout, cut', async () => {
  const print = 'for (let line = 0; line < 100; line++) console.log(line + "x".repeat(1_000))';
  const error: Error = await connect({ command: process.execPath, args: ['-e', print] }, { info }).then(
    () => expect.fail('connected'),
    (reason) => reason,
  );
  expect(
    error.message
      .split(stray)[1]
      ?.split('\n  ')
      .slice(1)
      .map((line) => line.slice(0, 2)),
  ).toEqual(['0x', '1x', '2x', '3x', '4x']);
  expect(error.message.length).toBeLessThan(2_000);
});

it('gives a program that prints a banner and answers nothing half of the time, and shows the banner', async () => {
  const clock = new FakeClock();
  const print = 'console.log("Listening on port 80"); process.stdin.resume()';
  const target = stdioTarget({ command: process.execPath, args: ['-e', print] });
  const connection = await target.open();
  let report = (_: unknown): void => {};
  const printed = new Promise((resolve) => {
    report = resolve;
  });
  const outcome = connect({ ...target, open: () => connection }, { info, clock, onError: report }).then(
    () => expect.fail('connected'),
    (error: unknown) => error,
  );
  await printed;
  await clock.advance(32_500);
  expect(await outcome).toMatchObject({
    reason: 'timeout',
    message: `The server did not finish the handshake within 32500 ms; allow it more with the option "connectTimeout".\n${stray}\n  Listening on port 80`,
  });
  await connection.close();
});

function escaped(text: string): string {
  return text.replaceAll(/[^\w\s]/g, '\\$&');
}
