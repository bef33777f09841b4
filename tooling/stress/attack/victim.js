import { Buffer } from 'node:buffer';
import { setTimeout as pause } from 'node:timers/promises';
import { idempotency } from '@tenon/mcp-idempotency/server';
import { createServer } from '@tenon/mcp-server';
import { memoryState } from '@tenon/mcp-state';
import { joinProcesses } from '@tenon/mcp-state/adapter';
import { tasks } from '@tenon/mcp-tasks/server';
import { z } from 'zod';

/**
 * The state of an attacked server: its most bytes, by default those of `memoryState`.
 *
 * @typedef {{ bytes?: number }} VictimState
 */

/** Characters of one large answer: less than `limits.resultSize`, so a default server sends it. */
const largeLength = 4 * 2 ** 20;
const large = 'x'.repeat(largeLength);

const text = z.object({ text: z.string() });
const records = z.object({
  records: z.array(z.object({ name: z.string(), age: z.number().int(), tags: z.array(z.string()) })),
});
const shapes = z.object({
  shapes: z.array(
    z.union([
      z.object({ kind: z.literal('circle'), radius: z.number() }),
      z.object({ kind: z.literal('square'), side: z.number() }),
      z.object({ kind: z.literal('label'), text: z.string().max(100) }),
    ]),
  ),
});

/**
 * Returns a server with default options and with tools that an attacker would look for.
 *
 * @param {(error: unknown, where: string) => void} onError
 */
export function createVictim(onError) {
  return (
    createServer({ name: 'victim', version: '1.0.0' }, { onError })
      .tool('echo', { input: text }, (input) => input.text)
      .tool('large', {}, () => large)
      .tool('large-later', {}, async () => large)
      .tool('records', { input: records }, (input) => String(input.records.length))
      .tool('shapes', { input: shapes }, (input) => String(input.shapes.length))
      .tool('wait', {}, async (_, ctx) => {
        await new Promise((go) => ctx.signal.addEventListener('abort', go, { once: true }));
        return 'over';
      })
      // Many events: memory holds only what is kept for resumption.
      .tool('chatter', {}, async (_, ctx) => {
        for (let step = 1; step <= 60; step++) {
          ctx.progress(step, 60, 'x'.repeat(2 ** 19));
          await new Promise((go) => setImmediate(go));
        }
        return 'said';
      })
      .prompt(
        'greet',
        { args: z.object({ name: z.string() }), complete: { name: () => ['Ada', 'Grace'] } },
        ({ name }) => `Hello, ${name}!`,
      )
      .resource('large://{id}', { name: 'large' }, () => large)
  );
}

/**
 * Returns a server with state, default options, and tools with tasks and large results. Each result is a text of its own in memory.
 *
 * @param {(error: unknown, where: string) => void} onError
 * @param {VictimState} state
 * @param {(number: number) => void} onFinished receives the number of a call when its handler returns
 */
export function createStatefulVictim(onError, state, onFinished) {
  const numbered = z.object({ number: z.number().int() });
  const options = { onError, state: sharedMemory(state), extensions: [tasks(), idempotency()] };
  return createServer({ name: 'victim', version: '1.0.0' }, options)
    .tool('echo', { input: text }, (input) => input.text)
    .tool('small-task', { task: 'always' }, () => 'done')
    .tool('large-task', { task: 'always' }, () => ownText(1_000_000))
    .tool('large-task-later', { input: numbered, task: 'always' }, async ({ number }) => {
      await pause(2_000);
      onFinished(number);
      return ownText(1_000_000);
    })
    .tool('waiting-task', { task: 'always' }, async (_, ctx) => {
      await new Promise((go) => ctx.signal.addEventListener('abort', go, { once: true }));
      return 'over';
    })
    .tool('kept', {}, () => ownText(60_000));
}

/**
 * Returns a state in memory that a server uses as one of several processes does: it keeps sessions, streams and repeated calls there.
 *
 * @param {VictimState} bounds
 * @returns {import('@tenon/mcp-state').State}
 */
function sharedMemory(bounds) {
  const state = memoryState(bounds);
  return Object.assign(state, {
    join: (/** @type {Parameters<typeof joinProcesses>[1]} */ settings) => joinProcesses(state, settings),
  });
}

/** @param {number} length */
function ownText(length) {
  return Buffer.alloc(length, 'x').toString('latin1');
}
