import { createServer, type Server, ToolError } from '@tenon/mcp-server';
import { z } from 'zod';

const icons = [{ src: 'https://example.com/saw.png', mimeType: 'image/png', sizes: ['48x48'] }];
const sound = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' } as const;
const link = {
  type: 'resource_link',
  uri: 'file:///plans/joint.txt',
  name: 'joint.txt',
  title: 'The joint',
} as const;

/** Tools with all metadata, and every kind of result. */
export function toolsServer(): Server {
  const server = createServer({ name: 'tools', version: '1.0.0' }, { onError: () => {} });
  server.tool(
    'add',
    {
      title: 'Add two lengths',
      description: 'Adds two lengths in millimetres',
      input: z.object({ a: z.number(), b: z.number().default(0) }),
      output: z.object({ sum: z.number() }),
      annotations: { title: 'Adding', readOnlyHint: true },
      icons,
      meta: { 'example.com/bench': 3 },
    },
    ({ a, b }) => ({ sum: a + b }),
  );
  server.tool('cuts', { description: 'Where to saw', output: z.array(z.number()) }, () => [40, 80]);
  server.tool('show', { description: 'Shows a joint in every way there is' }, () => [
    { type: 'text', text: 'A mortise', annotations: { audience: ['user'], priority: 1 } },
    { type: 'image', data: 'iVBORw==', mimeType: 'image/png' },
    sound,
    link,
    { type: 'resource', resource: { uri: link.uri, text: 'Cut here.' } },
  ]);
  server.tool('break', { description: 'Fails and says why' }, () => {
    throw new ToolError('The board is too short.');
  });
  server.tool('crash', { description: 'Fails and keeps the reason to itself' }, () => {
    throw new Error('The password is "swordfish".');
  });
  return server;
}

/** Resources with text and with bytes, and a template. */
export function resourcesServer(): Server {
  const server = createServer({ name: 'resources', version: '1.0.0' });
  server.resource(
    'file:///plans/joint.txt',
    {
      name: 'joint.txt',
      title: 'The joint',
      description: 'How to cut it',
      mimeType: 'text/plain',
      size: 9,
      annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-01-31T12:00:00Z' },
      icons,
      cache: { ttlMs: 60_000, cacheScope: 'public' },
    },
    () => 'Cut here.',
  );
  server.resource('file:///plans/joint.png', { name: 'joint.png', mimeType: 'image/png' }, () =>
    Uint8Array.of(1, 2, 3),
  );
  server.resource(
    'file:///plans/{year}/{name}.txt',
    { name: 'archive', title: 'The archive', description: 'Plans of other years', mimeType: 'text/plain' },
    ({ variables }) => (variables.year === '1999' ? undefined : `${variables.name} of ${variables.year}`),
  );
  return server;
}

/** Prompts with and without arguments. */
export function promptsServer(): Server {
  const server = createServer({ name: 'prompts', version: '1.0.0' });
  server.prompt('greet', { description: 'Says hello' }, () => 'Hello!');
  server.prompt(
    'explain',
    {
      title: 'Explain a joint',
      description: 'Explains a joint to somebody',
      args: z.object({
        joint: z.string().meta({ title: 'Joint', description: 'Which one' }),
        audience: z.string().optional(),
      }),
      icons,
    },
    ({ joint, audience = 'anybody' }) => [
      { role: 'user', content: { type: 'text', text: `Explain the ${joint} to ${audience}.` } },
      { role: 'assistant', content: sound },
      { role: 'user', content: link },
    ],
  );
  return server;
}

const woods = ['ash', 'aspen', 'beech', 'oak'];
const grades = new Map([
  ['ash', ['white', 'brown']],
  ['oak', ['red', 'white']],
]);

/** Prompts and templates with completions. */
export function completionServer(): Server {
  const server = createServer({ name: 'completion', version: '1.0.0' });
  server.prompt(
    'order',
    {
      description: 'Orders wood',
      args: z.object({ wood: z.string(), grade: z.string(), note: z.string() }),
      complete: {
        wood: (typed) => woods.filter((wood) => wood.startsWith(typed)),
        grade: (typed, { chosen }) =>
          (grades.get(chosen.wood ?? '') ?? []).filter((grade) => grade.startsWith(typed)),
      },
    },
    ({ wood, grade }) => `${grade} ${wood}`,
  );
  server.resource(
    'stock://{board}',
    { name: 'stock', complete: { board: (typed) => ({ values: [`${typed}1`, `${typed}2`], total: 250 }) } },
    ({ variables }) => `Board ${variables.board}`,
  );
  return server;
}

/** A list of three entries on pages of two. */
export function paginationServer(): Server {
  const server = createServer({ name: 'pagination', version: '1.0.0' }, { limits: { pageSize: 2 } });
  for (const wood of ['ash', 'beech', 'oak']) server.resource(`wood://${wood}`, { name: wood }, () => wood);
  return server;
}
