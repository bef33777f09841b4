import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@tenon/mcp-client';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { serverPort } from '@tenon/mcp-protocol';
import { createServer } from '@tenon/mcp-server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openRecording, readRecording, record, replay } from '../recordings.js';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'expectations-'));
});
beforeEach(({ task }) => {
  file = join(folder, `${task.id}.md`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const info = { name: 'recorder', version: '1.0.0' };

const weather = ({ text = '21 C', high = 21 }: { text?: string; high?: number } = {}) =>
  createServer({ name: 'weather', version: '1.0.0' }).tool(
    'forecast',
    { input: z.object({ city: z.string() }) },
    () => ({
      content: [{ type: 'text', text }],
      structuredContent: { high, days: ['Mon', 'Tue'], seen: Math.random() },
    }),
  );

/** Records one call, with an expectation in place of the structured content of the result. */
async function recorded(expectation: unknown): Promise<void> {
  const client = await connect(record(memoryTarget(weather()), file), { info });
  await client.callTool('forecast', { city: 'Oslo' });
  await client.close();
  const text = readFileSync(file, 'utf8').replace(
    /"structuredContent":\{[^}]*\}/,
    `"structuredContent":${JSON.stringify(expectation)}`,
  );
  writeFileSync(file, text);
}

const met = [
  ['any value', { any: true }],
  ['members among others', { members: { high: 21 } }],
  [
    'a schema of a member',
    {
      members: {
        high: { $expect: { schema: { type: 'integer', minimum: -60 } } },
        days: [{ $expect: { regex: '^M' } }, 'Tue'],
      },
    },
  ],
  ['a list that contains a value', { members: { days: { $expect: { contains: 'Tue' } } } }],
  ['a schema', { schema: { type: 'object', required: ['high'] } }],
] as const;
const unmet = [
  ['members', { members: { high: 22 } }, 'result.structuredContent.high is 21, recorded 22'],
  [
    'a regex',
    { members: { days: { $expect: { contains: { $expect: { regex: '^S' } } } } } },
    'expected a list that contains',
  ],
  [
    'a regex of a number',
    { members: { high: { $expect: { regex: '^2' } } } },
    'high is 21, expected a text that matches ^2',
  ],
  [
    'a schema',
    { schema: { properties: { high: { maximum: 20 } } } },
    'expected a value of the schema (high ',
  ],
  ['a missing member', { members: { low: { $expect: { any: true } } } }, 'low is missing, expected a value'],
] as const;

describe('expectations in a recording', () => {
  test.each(met)('accept %s', async (_, expectation) => {
    await recorded({ $expect: expectation });
    await replay(file).check(weather());
  });

  test.each(unmet)('reject a value that does not meet %s', async (_, expectation, difference) => {
    await recorded({ $expect: expectation });
    await expect(replay(file).check(weather())).rejects.toThrow(difference);
  });

  test('are replaced by their example when the server is played', async () => {
    await recorded({ $expect: { any: true, example: { high: 7 } } });
    const session = replay(file);
    const client = await connect(session.target, { info });
    expect((await client.callTool('forecast', { city: 'Oslo' })).structuredContent).toEqual({ high: 7 });
    await client.close();
    session.verify();
  });

  test.each([
    ['no example where its end is played', { any: true }, 'needs an "example"'],
    ['an unknown member', { like: 1 }, 'has no member "like"'],
    ['an invalid regex', { regex: '(' }, 'cannot be used'],
    ['no requirement', { example: 1 }, 'requires nothing'],
  ])('are rejected with the line when they have %s', async (_, expectation, problem) => {
    await recorded({ $expect: expectation });
    await expect(connect(replay(file).target, { info })).rejects.toThrow(/line \d+: "\$expect"/);
    await expect(connect(replay(file).target, { info })).rejects.toThrow(problem);
  });

  test('do not come into a recording from a message', () => {
    const message = { jsonrpc: '2.0', method: 'a', params: { filter: { $expect: { any: true } } } };
    openRecording(file).connection().message('client', message);
    expect(readFileSync(file, 'utf8')).toContain('{"$expect":{"equals":{"$expect":{"any":true}}}}');
  });
});

describe('openRecording with append', () => {
  test('adds connections after a program that crashed', () => {
    const first = openRecording(file).connection();
    first.message('client', { jsonrpc: '2.0', method: 'one' });
    const second = openRecording(file, { append: true }).connection();
    expect(second.connection).toBe(2);
    second.message('server', { jsonrpc: '2.0', method: 'two' });
    second.end('client');
    expect(readRecording(file)).toMatchObject([
      [{ from: 'client', message: { method: 'one' } }],
      [
        { from: 'server', message: { method: 'two' } },
        { from: 'client', message: undefined },
      ],
    ]);
  });

  test('rejects a file that is not a recording', () => {
    writeFileSync(file, '```transcript\nhello\n```\n');
    expect(() => openRecording(file, { append: true })).toThrow('Line 2');
    expect(readFileSync(file, 'utf8')).toBe('```transcript\nhello\n```\n');
  });
});

describe('compare', () => {
  const two = (server: ReturnType<typeof weather>) =>
    server.tool('echo', { input: z.object({ text: z.string() }) }, ({ text }) => text);

  async function calls(): Promise<void> {
    const client = await connect(record(memoryTarget(two(weather())), file), { info });
    await client.callTool('forecast', { city: 'Oslo' });
    await client.callTool('echo', { text: 'a' });
    await client.callTool('forecast', { city: 'Rome' });
    await client.close();
  }

  test('returns no differences for the same server', async () => {
    await calls();
    const { differences, compared } = await replay(file, { ignore: ['seen'] }).compare(two(weather()));
    expect(differences).toEqual([]);
    expect(compared).toBe(4);
  });

  test('returns all differences, and the recording with the new messages', async () => {
    await calls();
    const changed = two(weather({ text: '30 C' }));
    const ignore = ['seen'];
    const comparison = await replay(file, { ignore }).compare(changed);
    expect(comparison.differences).toMatchObject([
      { kind: 'different', details: ['result.content.0.text is "30 C", recorded "21 C"'] },
      { kind: 'different', details: ['result.content.0.text is "30 C", recorded "21 C"'] },
    ]);
    writeFileSync(file, comparison.updated());
    await replay(file, { ignore }).check(changed);
    expect((await replay(file, { ignore }).compare(two(weather()))).differences).toHaveLength(2);
  });

  test('reports messages that do not arrive, and goes on', async () => {
    await calls();
    const mute = { [serverPort]: { accept: () => undefined } };
    const { differences } = await replay(file, { patience: 5 }).compare(mute);
    expect(differences.map(({ kind }) => kind)).toEqual(['missing', 'missing', 'missing', 'missing']);
    expect(differences[0]?.details).toEqual(['nothing came within 5 ms']);
  });

  test('reports messages that were not recorded, and keeps expectations in the updated recording', async () => {
    await calls();
    const expectation = '"text":{"$expect":{"regex":"^\\\\d+ C$"}}';
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"text":"21 C"', expectation));
    const chatty = two(weather({ text: '-3 C' })).tool('echo2', {}, () => 'x');
    const comparison = await replay(file, { ignore: ['seen'] }).compare(chatty);
    expect(comparison.differences).toHaveLength(2);
    writeFileSync(file, comparison.updated());
    expect(readFileSync(file, 'utf8')).toContain('"text":"-3 C"');
    const same = await replay(file, { ignore: ['seen'] }).compare(two(weather({ text: '5 C' })));
    expect(same.differences.flatMap(({ details }) => details)).toHaveLength(2);
  });
});
