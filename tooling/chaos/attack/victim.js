import { createServer } from '@tenon/mcp-server';
import { z } from 'zod';

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
