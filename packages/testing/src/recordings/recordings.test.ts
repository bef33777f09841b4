import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, type ClientOptions, connect, textOf } from '@tenon/mcp-client';
import { httpTarget } from '@tenon/mcp-client/http';
import { memoryTarget } from '@tenon/mcp-client/memory';
import { serverPort } from '@tenon/mcp-protocol';
import { createServer, ToolError } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { memoryPair } from '@tenon/mcp-session/memory';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { everyRevision, FakeClock, faulty } from '../index.js';
import { openRecording, ReplayError, record, replay } from '../recordings.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recordings-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const options: ClientOptions = {
  info: { name: 'recorder', version: '1.0.0' },
  onElicit: async () => ({ action: 'accept', content: { unit: 'F' } }),
};

const weather = ({ high = 21, unit = 'C' } = {}) =>
  createServer({ name: 'weather', version: '1.0.0' })
    .tool('forecast', { input: z.object({ city: z.string() }) }, async ({ city }, ctx) => {
      ctx.progress(1, 2);
      const asked = ctx.can('elicit')
        ? await ctx.elicit('unit', { message: 'Which unit?', schema: z.object({ unit: z.string() }) })
        : undefined;
      return `${city}: ${high} ${asked?.action === 'accept' ? asked.content.unit : unit}`;
    })
    .tool('broken', {}, () => {
      throw new ToolError('There is no forecast.');
    });

/** The calls of the client in all of these tests. */
async function story(client: Client, city = 'Oslo'): Promise<unknown[]> {
  const heard: unknown[] = [];
  const one = await client.callTool(
    'forecast',
    { city },
    { onProgress: (reported) => heard.push(reported.progress) },
  );
  const [two, three] = await Promise.all([
    client.callTool('forecast', { city: 'Rome' }),
    client.callTool('broken', {}),
  ]);
  await client.close();
  return [...heard, one.content, two.content, three.isError];
}

async function recorded(revision: string, name = revision): Promise<{ file: string; heard: unknown[] }> {
  const file = join(folder, `${name}.md`);
  const client = await connect(record(memoryTarget(weather()), file), { ...options, revision });
  return { file, heard: await story(client) };
}

const newest = everyRevision[0] as string;

describe.each(everyRevision)('a session of %s', (revision) => {
  test('replays the server to the same client', async () => {
    const { file, heard } = await recorded(revision);
    const session = replay(file);
    expect(await story(await connect(session.target, { ...options, revision }))).toEqual(heard);
    session.verify();
  });

  test('replays the client to the same server', async () => {
    const { file } = await recorded(revision);
    await replay(file).check(weather());
  });

  test('reports where another server differs', async () => {
    const { file } = await recorded(revision);
    const checked = replay(file, { patience: 1_000 }).check(weather({ high: 30 }));
    await expect(checked).rejects.toThrow(ReplayError);
    await expect(checked).rejects.toThrow(
      /line \d+: the session differs from the recording\.\n {2}recorded {2}← /,
    );
    await expect(checked).rejects.toThrow(/content\.0\.text is "Oslo: 30 [CF]", recorded "Oslo: 21 [CF]"/);
  });

  test('reports where another client differs, also in the error of its call', async () => {
    const { file } = await recorded(revision);
    const session = replay(file);
    const client = await connect(session.target, { ...options, revision });
    const difference = 'params.arguments.city is "Bergen", recorded "Oslo"';
    await expect(client.callTool('forecast', { city: 'Bergen' })).rejects.toThrow(difference);
    expect(() => session.verify()).toThrow(difference);
    await client.close();
  });
});

test('accepts other ids than the recorded ones', async () => {
  const { file } = await recorded(newest, 'ids');
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text
      .replaceAll(/"id":(\d+)/g, '"id":"other-$1"')
      .replaceAll(/"progressToken":(\d+)/g, '"progressToken":"t$1"'),
  );
  expect(readFileSync(file, 'utf8')).not.toBe(text);
  await story(await connect(replay(file).target, { ...options, revision: newest }));
  await replay(file).check(weather());
});

test('accepts a frame that arrives earlier than in the recording', async () => {
  const { file } = await recorded(newest, 'earlier');
  const session = replay(file);
  const client = await connect(session.target, { ...options, revision: newest });
  const cities = ['Rome', 'Oslo'];
  const answers = cities.map((city) => client.callTool('forecast', { city }, { onProgress: () => {} }));
  await client.callTool('broken', {});
  expect((await Promise.all(answers)).map((answer) => textOf(answer.content))).toEqual([
    'Rome: 21 F',
    'Oslo: 21 F',
  ]);
  await client.close();
  session.verify();
});

test('reports a recorded message that was not sent in verify()', async () => {
  const { file } = await recorded(newest, 'silence');
  const session = replay(file);
  expect(() => session.verify()).toThrow('1 connections were recorded, and 0 opened');
  const client = await connect(session.target, { ...options, revision: newest });
  await client.close();
  expect(() => session.verify()).toThrow(/this recorded message did not arrive:\n {2}→ .*"city":"Oslo"/);
});

test('waits for a silent server no longer than the patience', async () => {
  const { file } = await recorded(newest, 'mute');
  const clock = new FakeClock();
  const checked = expect(
    replay(file, { clock, patience: 700 }).check({ [serverPort]: { accept: () => undefined } }),
  ).rejects.toThrow('(nothing came in time)');
  await clock.advance(700);
  await checked;
  expect(clock.waiting).toEqual([]);
});

test('ignores the given members', async () => {
  const { file } = await recorded(newest, 'volatile');
  const renamed = { ...options, info: { name: 'another', version: '2' }, revision: newest };
  await expect(connect(replay(file).target, renamed)).rejects.toThrow('clientInfo.name is "another"');
  const session = replay(file, { ignore: ['io.modelcontextprotocol/clientInfo'] });
  await story(await connect(session.target, renamed));
  session.verify();
});

test('records and replays several connections one after the other', async () => {
  const file = join(folder, 'several.md');
  let calls = 0;
  const breaking = faulty(
    { ...memoryTarget(weather()), restartable: true },
    {
      outgoing: {
        close: ({ message }) => (message as { method?: string }).method === 'tools/call' && ++calls === 2,
      },
    },
  );
  const run = async (target: Parameters<typeof connect>[0]) => {
    const client = await connect(target, { ...options, revision: newest });
    await client.callTool('broken', {});
    await expect(client.callTool('broken', {})).rejects.toThrow();
    await client.callTool('broken', {});
    await client.close();
  };
  await run(record(breaking, file));
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('## Connection 2');
  const session = replay(file);
  await run(session.target);
  session.verify();
});

test("records a server's end", async () => {
  const file = join(folder, 'server.md');
  const client = await connect(
    () => {
      const [near, far] = memoryPair();
      weather()[serverPort].accept(record(far, file));
      return near;
    },
    { ...options, revision: newest },
  );
  await story(client);
  await replay(file).check(weather());
});

test.each(everyRevision.slice(0, -1))('replays a session of %s over HTTP', async (revision) => {
  const file = join(folder, `http-${revision}.md`);
  const serving = await serveHttp(weather());
  const client = await connect(record(httpTarget(serving.url), file), { ...options, revision });
  const heard = await story(client);
  await serving.close();
  const session = replay(file);
  expect(await story(await connect(session.target, { ...options, revision }))).toEqual(heard);
  session.verify();
  await replay(file).check(weather());
});

describe('secrets', () => {
  const leaky = () =>
    createServer({ name: 'leaky', version: '1' }).tool(
      'login',
      { input: z.object({ password: z.string(), url: z.string() }) },
      () => ({ content: [{ type: 'text', text: '{"accessToken":"abc123","ok":true}' }] }),
    );
  const run = async (target: Parameters<typeof connect>[0]) => {
    const client = await connect(target, { ...options, revision: newest });
    const meta = { 'example.com/authorization': 'Bearer very-secret' };
    await client.callTool('login', { password: 'hunter2', url: 'https://ada:pw@a.example' }, { meta });
    await client.close();
  };

  test('are removed from the file, and match anything on replay', async () => {
    const file = join(folder, 'secrets.md');
    await run(record(memoryTarget(leaky()), file));
    const text = readFileSync(file, 'utf8');
    for (const secret of ['hunter2', 'abc123', 'very-secret', 'ada:pw']) expect(text).not.toContain(secret);
    const session = replay(file);
    await run(session.target);
    session.verify();
    await replay(file).check(leaky());
  });

  test('are removed by a hook too, and written if redaction is off', async () => {
    const file = join(folder, 'hook.md');
    const redact = (message: unknown): unknown =>
      JSON.parse(JSON.stringify(message).replaceAll('a.example', '[redacted]'));
    await run(record(memoryTarget(leaky()), file, { redact }));
    const text = readFileSync(file, 'utf8');
    for (const secret of ['hunter2', 'a.example']) expect(text).not.toContain(secret);
    await run(replay(file).target);
    await run(record(memoryTarget(leaky()), file, { redact: false }));
    expect(readFileSync(file, 'utf8')).toContain('hunter2');
  });

  test('are not removed from schemas', async () => {
    const file = join(folder, 'schemas.md');
    const list = async (target: Parameters<typeof connect>[0]) => {
      const client = await connect(target, { ...options, revision: newest });
      const tools = await client.tools().all();
      await client.close();
      return tools;
    };
    const tools = await list(record(memoryTarget(leaky()), file));
    expect(tools[0]?.inputSchema.properties).toMatchObject({ password: { type: 'string' } });
    expect(await list(replay(file).target)).toEqual(tools);
  });

  test('are removed from the values of a schema, at every level', () => {
    const file = join(folder, 'values.md');
    const secret = {
      type: 'string',
      default: 's1',
      const: 's2',
      examples: ['s3'],
      description: 'password=s4',
    };
    const schema = {
      type: 'object',
      properties: {
        password: secret,
        db: {
          properties: { token: { anyOf: [{ default: 's5' }, { type: 'null' }] } },
          default: { pass: 's6' },
        },
        code: { type: 'number', default: 7, examples: ['plain'] },
        default: { properties: { apiKey: { const: 's7' } } },
      },
      required: ['password'],
      $defs: { Secret: { items: { example: 's8' } } },
    };
    for (const name of ['inputSchema', 'outputSchema', 'requestedSchema']) {
      const recorder = openRecording(file).connection();
      recorder.message('server', {
        jsonrpc: '2.0',
        id: 1,
        result: { tools: [{ name: 'a', [name]: schema }] },
      });
      recorder.end('server');
      const text = readFileSync(file, 'utf8');
      expect(text).not.toMatch(/s[1-8]\b/);
      for (const kept of ['"type":"number","default":7,"examples":["plain"]', '"required":["password"]'])
        expect(text).toContain(kept);
    }
  });

  test.runIf(process.platform !== 'win32')('are in a file for its owner only, new or replaced', () => {
    const file = join(folder, 'mode.md');
    writeFileSync(file, 'old', { mode: 0o644 });
    for (let run = 0; run < 2; run++) {
      openRecording(file);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      rmSync(file);
    }
  });
});

test.each([
  ['nothing', '# Notes\n', 'contains no recorded session'],
  ['no JSON', '## Connection 1\n\n```transcript\n→ {"a":\n```\n', 'Line 4: invalid JSON'],
  [
    'no arrow',
    '## Connection 1\n\n```transcript\nhello\n```\n',
    'Line 4: expected →, ← or an indented line.',
  ],
])('rejects a file with %s', (name, text, message) => {
  const file = join(folder, `${name}.md`);
  writeFileSync(file, text);
  expect(() => replay(file)).toThrow(message);
});

test('rejects an argument that is neither connection nor target', () => {
  expect(() => record('https://example.com/mcp' as never, join(folder, 'none.md'))).toThrow(
    'httpTarget(url)',
  );
});

test('rejects unknown options', async () => {
  const { file } = await recorded(newest, 'options');
  expect(() => replay(file, { ignored: ['x'] } as never)).toThrow('replay: there is no option "ignored".');
  expect(() => replay(file, { ignore: 'x' as never })).toThrow('replay: ignore must be a list of texts.');
  expect(() => replay(file, { patience: 0 })).toThrow(RangeError);
  const kept = readFileSync(file, 'utf8');
  const target = memoryTarget(weather());
  expect(() => record(target, file, { redcat: false } as never)).toThrow(
    'record: there is no option "redcat".',
  );
  expect(() => record(target, file, { redact: true as never })).toThrow(
    '"redact" must be false, or a function',
  );
  expect(readFileSync(file, 'utf8')).toBe(kept);
});
