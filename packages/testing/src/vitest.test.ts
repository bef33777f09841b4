import type { Client } from '@tenon/mcp-client';
import { createServer, ErrorCode, RpcError, ToolError } from '@tenon/mcp-server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connectTest, type TestConnection } from './index.js';
import './vitest.js';

const everything = () =>
  createServer({ name: 'everything', version: '1.0.0' }, { onError: () => {} })
    .tool('add', { input: z.object({ a: z.number() }), output: z.object({ sum: z.number() }) }, ({ a }) => ({
      sum: a + 1,
    }))
    .tool('say', {}, () => 'hello there')
    .tool('fail', {}, () => {
      throw new ToolError('There is no forecast for Atlantis.');
    })
    .tool('refuse', {}, () => {
      throw new RpcError(ErrorCode.refused, 'Not you.');
    })
    .tool('hang', {}, () => new Promise(() => {}))
    .prompt('greeting', {}, () => 'Say hello.')
    .resource('note://one', { name: 'one' }, () => 'first');

let connection: TestConnection<never>;
let client: Client;
beforeEach(async () => {
  connection = (await connectTest(everything())) as never;
  client = connection.client as Client;
});
afterEach(() => connection.close());

test('match lists', async () => {
  await expect(client).toHaveTool('add');
  await expect(client).not.toHaveTool('multiply');
  await expect(await client.tools().all()).toHaveTool('say');
  await expect(client).toHavePrompt('greeting');
  await expect(client).toHaveResource('note://one');
  await expect(client).not.toHaveResource('note://two');
});

test('match tool results', async () => {
  const sum = await client.callTool('add', { a: 1 });
  expect(sum).toBeToolResult();
  expect(sum).toHaveStructuredContent();
  expect(sum).toHaveStructuredContent({ sum: 2 });
  expect(sum).toHaveStructuredContent({ sum: expect.any(Number) });
  expect(sum).not.toHaveStructuredContent({ sum: 3 });
  expect(sum).not.toBeToolError();
  const said = await client.callTool('say', {});
  expect(said).toBeToolResult('hello there');
  expect(said).toBeToolResult(/^hello/);
  expect(said).not.toBeToolResult('hello');
  const pattern = /hello/g;
  for (let time = 0; time < 2; time++) expect(said).toBeToolResult(pattern);
  expect(said).not.toHaveStructuredContent();
});

test('match tool errors', async () => {
  const failed = await client.callTool('fail', {});
  expect(failed).toBeToolError();
  expect(failed).toBeToolError(/Atlantis/);
  expect(failed).not.toBeToolError('Atlantis');
  expect(failed).not.toBeToolResult();
});

test('match rejections', async () => {
  await expect(client.callTool('refuse', {})).toRejectWithCode('refused');
  await expect(client.callTool('refuse', {})).toRejectWithCode(-31003);
  await expect(() => client.callTool('refuse', {})).toRejectWithCode('refused');
  await expect(client.callTool('refuse', {})).not.toRejectWithCode('invalidParams');
  await expect(client.callTool('hang', {}, { timeout: 20 })).toRejectWithCode('timeout');
  await expect(client.callTool('say', {})).not.toRejectWithCode('timeout');
});

describe('failure messages show the received value', () => {
  test.each<[string, () => unknown, string]>([
    [
      'no such tool',
      () => expect(client).toHaveTool('multiply'),
      'expected a tool "multiply"; there are add, say, fail, refuse, hang',
    ],
    [
      'a tool too many',
      () => expect(client).not.toHaveTool('add'),
      'expected no tool "add", and there is one',
    ],
    [
      'an empty list',
      () => expect([]).toHavePrompt('greeting'),
      'expected a prompt "greeting"; there is none',
    ],
    ['no client', () => expect(3).toHaveTool('add'), 'expected a client, or a list of tools, not 3'],
    [
      'a promise that is not awaited',
      () => expect(client.callTool('say', {})).toBeToolResult(),
      'expected the result of a tool call (was it awaited?), not ',
    ],
    [
      'a failed call',
      async () => expect(await client.callTool('fail', {})).toBeToolResult(),
      'expected a result, and the tool failed:\nThere is no forecast for Atlantis.',
    ],
    [
      'a call that did not fail',
      async () => expect(await client.callTool('say', {})).toBeToolError(),
      'expected the tool to fail, and it said:\nhello there',
    ],
    [
      'another text',
      async () => expect(await client.callTool('say', {})).toBeToolResult('bye'),
      'expected the text "bye", received "hello there"',
    ],
    [
      'no structured content',
      async () => expect(await client.callTool('say', {})).toHaveStructuredContent({ sum: 1 }),
      'expected structured content, and there is none (is there an output schema',
    ],
    [
      'other structured content',
      async () => expect(await client.callTool('add', { a: 1 })).toHaveStructuredContent({ sum: 9 }),
      'expected structured content {"sum": 9}, received {"sum": 2}',
    ],
    [
      'another code',
      () => expect(client.callTool('refuse', {})).toRejectWithCode('invalidParams'),
      'expected a rejection with invalidParams (-32602), received RemoteError -31003: tools/call refuse: Not you.',
    ],
    [
      'no rejection',
      () => expect(client.callTool('say', {})).toRejectWithCode(-32602),
      'expected a rejection with -32602, and it resolved with ',
    ],
    [
      'a code there is not',
      () => expect(client.callTool('say', {})).toRejectWithCode('nonsense' as never),
      'toRejectWithCode: unknown code "nonsense". Use a number or one of: ',
    ],
    [
      'no promise',
      () => expect(undefined).not.toRejectWithCode('timeout'),
      'expected a promise, such as client.callTool(...) without await, not undefined',
    ],
  ])('%s', async (_, failing, message) => {
    // Negated, so that a matcher that accepts the value is not mistaken for one that fails.
    const error = await Promise.resolve()
      .then(failing)
      .then(() => undefined)
      .catch((thrown: Error) => thrown);
    expect(error?.message).toContain(message);
  });
});
