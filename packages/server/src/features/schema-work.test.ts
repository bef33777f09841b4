import { otherBounds } from '@tenon/foundation';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { WirePeer } from '../../test/wire-peer.js';
import { formFor, readForm } from '../input/elicitation.js';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1.0.0' };
const items = z.object({ list: z.array(z.number()) });
const bounds = { schemaProblems: 100 };
const limits = otherBounds(bounds);
const texts = Array.from({ length: 2_000 }, () => 'x');

test('limits.schemaProblems bounds the arguments of a tool', async () => {
  const server = createServer(info, { limits }).tool('sum', { input: items }, () => 'ok');
  const peer = await WirePeer.open(server);
  const answer = await peer.request('tools/call', { name: 'sum', arguments: { list: texts } });
  expect(answer.result?.content?.[0]?.text).toMatch(
    /^Invalid arguments for tool sum: more than 100 values do not fit the schema, .*; list\[0\]: must be number/,
  );
});

test('limits.schemaProblems bounds the structured output of a tool', async () => {
  const errors: string[] = [];
  const onError = (error: unknown): void => void errors.push((error as Error).message);
  const server = createServer(info, { limits, onError }).tool('numbers', { output: items }, () => ({
    list: texts as never,
  }));
  const peer = await WirePeer.open(server);
  expect((await peer.request('tools/call', { name: 'numbers' })).result?.isError).toBe(true);
  expect(errors).toEqual([
    expect.stringMatching(/^Tool "numbers" returned output that breaks its own schema: more than 100 values/),
  ]);
});

test('limits.schemaProblems bounds the arguments of a prompt', async () => {
  const args = z.strictObject({ topic: z.string() });
  const server = createServer(info, { limits }).prompt('write', { args }, ({ topic }) => topic);
  const peer = await WirePeer.open(server);
  const given = { topic: 'a', ...Object.fromEntries(texts.map((text, index) => [`p${index}`, text])) };
  const answer = await peer.request('prompts/get', { name: 'write', arguments: given });
  expect(answer.error?.message).toContain('more than 100 values do not fit the schema');
});

test('limits.schemaProblems bounds the answer to an elicitation', async () => {
  const schema = z.object({ picked: z.array(z.enum(['a', 'b'])) });
  const compiled = formFor(schema, {
    key: 'pick',
    validator: undefined,
    bounds: { schemaSteps: 1_000_000, ...bounds },
  });
  const answer = { action: 'accept', content: { picked: texts } } as const;
  await expect(readForm(compiled, answer, { key: 'pick', live: true })).rejects.toMatchObject({
    reason: 'invalid-answer',
    message: expect.stringContaining('more than 100 values do not fit the schema'),
  });
});
