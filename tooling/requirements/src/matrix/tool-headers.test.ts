import { createServer, type Server } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { z } from 'zod';
import { requirement } from './requirement.js';

const info = { name: 'bench', version: '1.0.0' };
const property = (name: unknown, type = 'string') => ({ type, 'x-mcp-header': name });

/** Schemas with invalid annotations. */
const broken = {
  empty: { a: property('') },
  space: { a: property('a b') },
  colon: { a: property('a:b') },
  foreign: { a: property('ä') },
  twice: { a: property('Region'), b: property('REGION') },
  list: { a: property('Region', 'array') },
  object: { a: property('Region', 'object') },
};
const schemaOf = (properties: object) => ({ type: 'object' as const, properties });

/** A server that records the tools it could not register. */
function liar(): Server {
  const server = createServer(info).tool('sound', {}, () => 'done') as Server;
  return server.use(async (call, next) => {
    const result = await next();
    if (call.method !== 'tools/list') return result;
    const lies = Object.entries(broken).map(([name, properties]) => ({
      name,
      inputSchema: schemaOf(properties),
    }));
    return { ...result, tools: [...(result.tools as unknown[]), ...lies] };
  });
}

requirement(['draft-tools/tools/header-annotation'], { transports: ['http'] }, async ({ serve }) => {
  const input = z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }), query: z.string() });
  const { client, wire } = await serve(createServer(info).tool('sql', { input }, ({ region }) => region));
  await client.tools().all();
  const { content } = await client.callTool('sql', { region: 'us-west1', query: 'SELECT 1' });
  expect(content).toMatchObject([{ text: 'us-west1' }]);
  expect(wire.frames.find(({ headers }) => headers?.['mcp-method'] === 'tools/call')?.headers).toMatchObject({
    'mcp-param-region': 'us-west1',
  });
});

requirement(
  [
    'draft-tools/tools/header-not-empty',
    'draft-tools/tools/header-ascii',
    'draft-tools/tools/header-unique',
    'draft-tools/tools/header-primitive',
    'draft-tools/tools/header-rejected',
    'draft-tools/tools/header-excluded',
    'draft-tools/tools/header-logged',
  ],
  { transports: ['http'] },
  async ({ serve }) => {
    for (const properties of Object.values(broken)) {
      const input = schemaOf(properties) as never;
      expect(() => createServer(info).tool('broken', { input }, () => '')).toThrow(TypeError);
    }
    const errors: string[] = [];
    const { client } = await serve(liar(), { onError: (error) => void errors.push(String(error)) });
    expect((await client.tools().all()).map(({ name }) => name)).toEqual(['sound']);
    const names = Object.keys(broken);
    expect(errors).toHaveLength(names.length);
    for (const [at, name] of names.entries()) {
      expect(errors[at]).toContain(`"${name}"`);
      expect(errors[at]).toContain('x-mcp-header');
    }
    expect(await client.request('tools/call', { name: 'sound' })).toMatchObject({
      content: [{ text: 'done' }],
    });
  },
);
