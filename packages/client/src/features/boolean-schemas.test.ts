import { revisions } from '@tenon/mcp-protocol';
import { expect, it } from 'vitest';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';

const inputSchema = { type: 'object', properties: { any: true, none: false, text: { type: 'string' } } };

it.each(revisions.map((revision) => [revision.id, revision] as const))(
  'reads property schemas that are true or false in %s',
  async (_id, revision) => {
    // Output schemas came with 2025-06-18; older revisions pass members they do not know.
    const tool = { name: 'loose', inputSchema, outputSchema: inputSchema };
    const page = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: [tool] };
    const answer = { resultType: 'complete', content: [], structuredContent: { any: 1, none: 2 } };
    const script = serverScript(revision, { 'tools/list': () => page, 'tools/call': () => answer });
    const reported: string[] = [];
    const onError = (error: unknown) => void reported.push(String(error));
    const client = await linked(new ScriptedServer(script), { onError });
    const [listed] = await client.tools().all();
    const read = { any: {}, none: { not: {} }, text: { type: 'string' } };
    const isAllowed = revision.lifecycle === 'stateless';
    expect(listed?.inputSchema).toEqual(isAllowed ? inputSchema : { ...inputSchema, properties: read });
    expect(reported).toEqual(
      isAllowed ? [] : [expect.stringContaining('a property of a tool schema is true')],
    );
    await expect(client.callTool('loose')).rejects.toThrow('#/none: ');
    await client.close();
  },
);
