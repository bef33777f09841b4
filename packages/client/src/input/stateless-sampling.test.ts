import type { UnknownObject } from '@tenon/mcp-protocol';
import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';

const text = { type: 'text', text: 'Hi' } as const;
const answer = { role: 'assistant', content: text, model: 'm', stopReason: 'vendorFilter' } as const;

/** A client and a server that answers each call with a sampling request, with the given params. */
async function asked(...questions: UnknownObject[]) {
  const seen: unknown[] = [];
  let call = 0;
  const server = new ScriptedServer(
    serverScript(revision20260728, {
      'tools/call': ({ inputResponses }) =>
        inputResponses === undefined
          ? {
              resultType: 'input_required',
              inputRequests: { s: { method: 'sampling/createMessage', params: questions[call++] } },
            }
          : { content: [] },
    }),
  );
  const client = await linked(server, {
    onSample: (params) => {
      seen.push(params);
      return answer;
    },
    capabilities: { samplingTools: true },
  });
  return { client, server, seen };
}

describe('a sampling request', () => {
  it('hints, prompt and parameters reach the application, which may do otherwise', async () => {
    shows(
      '2026-07-28/client/sampling/map-hints',
      '2026-07-28/client/sampling/system-prompt',
      '2026-07-28/client/sampling/include-context',
      '2026-07-28/client/sampling/parameters',
      '2026-07-28/client/sampling/respect-hints',
    );
    const params = {
      messages: [{ role: 'user', content: text }],
      maxTokens: 100,
      modelPreferences: {
        hints: [{ name: 'sonnet' }, { name: 'fast' }],
        costPriority: 0.3,
        speedPriority: 1,
      },
      systemPrompt: 'Be kind.',
      includeContext: 'thisServer',
      temperature: 0.1,
      stopSequences: ['END'],
      metadata: { seed: 1 },
    };
    const { client, server, seen } = await asked(params);
    await client.callTool('t');
    expect(seen).toEqual([params]);
    // The application answers with whatever model and reason to stop it likes.
    expect(server.peer.paramsOf('tools/call')[1]?.inputResponses).toEqual({ s: answer });
  });

  it.each([
    ['no role', { content: text }],
    ['no content', { role: 'user' }],
    ['a role of its own', { role: 'system', content: text }],
    ['content of no kind', { role: 'user', content: { type: 'smell' } }],
  ])('a message of a server without role or content is refused: %s', async (_, message) => {
    shows('2026-07-28/client/sampling/role-and-content');
    const { client, server, seen } = await asked({ messages: [message], maxTokens: 1 });
    await expect(client.callTool('t')).rejects.toMatchObject({ reason: 'invalid-answer' });
    expect(seen).toEqual([]);
    expect(server.peer.paramsOf('tools/call')).toHaveLength(1);
  });

  it('each request has its own messages and no others', async () => {
    shows('2026-07-28/client/sampling/not-retained');
    const question = (words: string) => ({
      messages: [{ role: 'user', content: { type: 'text', text: words } }],
      maxTokens: 1,
    });
    const { client, seen } = await asked(question('first'), question('second'));
    await client.callTool('t');
    await client.callTool('t');
    expect(seen).toEqual([question('first'), question('second')]);
  });
});
