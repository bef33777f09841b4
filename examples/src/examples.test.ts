import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { connect } from '@tenon/mcp-client';
import { describe, expect, it } from 'vitest';
import type { server } from './weather.js';

const folder = fileURLToPath(new URL('../dist/', import.meta.url));

/** What each program prints. */
const programs: Readonly<Record<string, readonly string[]>> = {
  'in-memory': ['2 + 3 = 5'],
  asking: [
    '2025-11-25 asks: Delete milk?',
    '2025-11-25 answers: Deleted milk; there is a copy in milk-1.bak',
    '2026-07-28 asks: Delete bread?',
    '2026-07-28 answers: Deleted bread; there is a copy in bread-2.bak',
  ],
  resources: [
    'listed note://milk',
    'listed note://mill',
    'completed milk, mill',
    'changed note://milk',
    'read Buy oat milk',
  ],
  prompts: ['completed Oslo, Otta', 'got Tell me about Oslo in 20 words.'],
  middleware: [
    'inbound initialize ok',
    'outbound roots/list ok',
    'inbound tools/call ok',
    'inbound tools/call Formatting is not allowed here',
    'refused with -31003',
  ],
  'client-tour': [
    "watching: [ 'note://milk' ]",
    'asked: Write milk?',
    'changed: note://milk',
    'written: 12',
    'listed: note://milk',
    'page: 1 undefined all: 1',
    "read: Buy oat milk | got: 1 | completed: [ 'milk' ]",
    'batch: 1 1',
  ],
  'http-client': [
    'state: open ',
    "2026-07-28 [ { type: 'text', text: 'Saved milk for everybody' } ]",
    'state: closed ',
    '2025-11-25 1',
    'notes 2',
  ],
  schemas: ['zod: knock knock', 'arktype: knock knock', 'valibot: knock knock', 'plain: knock knock'],
  'outside/client': ["2026-07-28 [ { type: 'text', text: 'Hello, world!' } ]"],
};

/** Programs that `http.test.ts` and `http-options.test.ts` drive, and what they share. */
const overHttp = [
  'http-cors',
  'http-express',
  'http-fastify',
  'http-hono',
  'http-hono-node',
  'http-node',
  'http-notes',
  'http-older',
  'http-people',
  'http-plain',
  'http-public',
  'http-serve',
  'http-stores',
  'http-worker',
  'outside/http-server',
];

describe('programs that run to their end', () => {
  it.each(Object.entries(programs))('%s', (name, lines) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [`${folder}${name}.js`], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout.trimEnd().split('\n')).toEqual(lines);
    expect(status).toBe(0);
  });
});

describe('weather', () => {
  const target = { command: process.execPath, args: [`${folder}weather.js`] };
  const info = { name: 'test', version: '1.0.0' };

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
    'answers in %s without asking a client that has no forms',
    async (revision) => {
      const client = await connect<typeof server>(target, { info, revision });
      const steps: number[] = [];
      const options = { onProgress: ({ progress }: { progress: number }) => void steps.push(progress) };
      const { content } = await client.callTool('forecast', { city: 'Oslo' }, options);
      await client.close();
      expect(content).toEqual([{ type: 'text', text: '{"unit":"C","highs":[12,14,16]}' }]);
      expect(steps).toEqual([1, 2, 3]);
    },
  );

  it.each(['2025-06-18', '2025-11-25', '2026-07-28'])('asks for the unit in %s', async (revision) => {
    const client = await connect<typeof server>(target, {
      info,
      revision,
      onElicit: () => ({ action: 'accept', content: { unit: 'F' } }),
    });
    const { structuredContent } = await client.callTool('forecast', { city: 'Oslo', days: 1 });
    await client.close();
    expect(structuredContent).toEqual({ unit: 'F', highs: [54] });
  });
});

it('leaves no program without a test', () => {
  const sources = readdirSync(new URL('.', import.meta.url), { recursive: true }).map(String);
  const tested = [...Object.keys(programs), ...overHttp, 'weather', 'weather-station', 'outside/server'];
  const found = sources.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  expect(found.map((file) => file.slice(0, -3)).sort()).toEqual(tested.sort());
});
