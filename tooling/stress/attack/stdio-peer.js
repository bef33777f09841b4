import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { initialize, toolCall } from '../wire/messages.js';

const victim = fileURLToPath(new URL('./stdio-victim.js', import.meta.url));

/**
 * Starts a stdio server, and attacks it.
 *
 * @param {import('./stdio-attacks.js').StdioAttack} attack
 * @param {{ heap: number, seconds: number }} options
 * @returns {Promise<string | undefined>} the failure
 */
export async function attackStdio(attack, { heap, seconds }) {
  const args = [`--max-old-space-size=${heap}`, victim];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = once(child, 'exit').then(
    ([code, signal]) => `the server ended by itself (${code ?? signal})`,
  );
  child.stdin.on('error', () => {});
  const send = async (/** @type {string} */ line) => {
    if (!child.stdin.write(`${line}\n`)) await Promise.race([once(child.stdin, 'drain'), exited]);
  };
  try {
    const answered = answersOf(child.stdout);
    await send(JSON.stringify(initialize(attack.revision)));
    await send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    if (attack.unread) child.stdout.pause();
    const pouring = pour(attack, send);
    // A server may stop reading while the attacker does not read its output.
    await Promise.race([pouring, exited, pause(seconds * 1_000)]);
    child.stdout.resume();
    await Promise.race([pouring, exited]);
    await send(JSON.stringify(toolCall('last', 'echo', { text: 'still here' })));
    return await Promise.race([answered.then(() => undefined), exited]);
  } finally {
    child.kill('SIGKILL');
  }
}

/**
 * @param {import('./stdio-attacks.js').StdioAttack} attack
 * @param {(line: string) => Promise<void>} send
 */
async function pour(attack, send) {
  for (const line of attack.lines()) await send(line);
}

/**
 * Resolves with the answer to the last call: its result, or the error for too many running calls.
 *
 * @param {import('node:stream').Readable} output
 * @returns {Promise<void>}
 */
function answersOf(output) {
  return new Promise((resolve) => {
    createInterface({ input: output }).on('line', (line) => {
      if (line.length < 1_000 && line.includes('"id":"last"')) resolve();
    });
  });
}
