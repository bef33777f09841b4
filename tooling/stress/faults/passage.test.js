import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { Passage } from './passage.js';

/** @type {(() => void)[]} */
const cleanups = [];

afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

describe('Passage', () => {
  test('holds bytes, and releases them in order', async () => {
    const { write, received, passage } = await joined();
    await write('one ');
    await received('one ');
    passage.hold();
    await write('two ');
    passage.release();
    await write('three');
    await received('one two three');
  });

  test('sends a truncated part, then an end', async () => {
    const { write, ended, passage, text } = await joined();
    passage.cut(Buffer.from('a part'));
    await ended;
    await write('more');
    expect(text()).toBe('a part');
  });

  test('sends the end of the sender after the held bytes', async () => {
    const { write, ended, passage, sender, text } = await joined();
    passage.hold();
    await write('last words');
    sender.end();
    passage.release();
    await ended;
    expect(text()).toBe('last words');
  });
});

/** Returns a sender and a receiver, each on a socket of its own, with a passage between them. */
async function joined() {
  const [sender, from] = await pair();
  const [to, receiver] = await pair();
  const passage = new Passage(from, to, (chunk) => chunk);
  let text = '';
  receiver.setEncoding('utf8');
  receiver.on('data', (chunk) => {
    text += chunk;
  });
  return {
    passage,
    sender,
    text: () => text,
    ended: once(receiver, 'end'),
    write: (/** @type {string} */ some) => new Promise((resolve) => sender.write(some, resolve)),
    received: (/** @type {string} */ expected) => expect.poll(() => text).toBe(expected),
  };
}

/** Returns the two ends of one connection. */
async function pair() {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const near = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const [far] = /** @type {[import('node:net').Socket]} */ (await once(server, 'connection'));
  server.close();
  cleanups.push(() => {
    near.destroy();
    far.destroy();
  });
  return /** @type {const} */ ([near, far]);
}
