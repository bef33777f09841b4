import type { SamplingMessage } from '@tenon/mcp-protocol';
import { revision20251125 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import { pairingProblem } from './sampling.js';

const text = { type: 'text', text: 'Hi' } as const;
const use = (id: string) => ({ type: 'tool_use', id, name: 't', input: {} }) as const;
const result = (toolUseId: string) => ({ type: 'tool_result', toolUseId, content: [] }) as const;
const user = (...content: SamplingMessage['content'][]) =>
  ({ role: 'user', content: content.flat() }) as SamplingMessage;
const assistant = (...content: SamplingMessage['content'][]) =>
  ({ role: 'assistant', content: content.flat() }) as SamplingMessage;

describe('messages', () => {
  it.each<[string, SamplingMessage[], string | undefined, ...string[]]>([
    ['without tools', [user(text), assistant(text)], undefined],
    ['of one block', [{ role: 'user', content: text }], undefined],
    [
      'with uses and results',
      [user(text), assistant(text, use('a'), use('b')), user(result('b'), result('a'))],
      undefined,
    ],
    [
      'with a result too few',
      [assistant(use('a'), use('b')), user(result('a'))],
      'params.messages[1]: 1 tool uses before it have no result',
      '2026-07-28/client/sampling/balance',
    ],
    [
      'with a result too many',
      [assistant(use('a')), user(result('a'), result('c'))],
      'params.messages[1]: no tool use waits for the result "c"',
    ],
    [
      'with a result twice',
      [assistant(use('a')), user(result('a'), result('a'))],
      'params.messages[1]: no tool use waits for the result "a"',
    ],
    [
      'with a result beside a text',
      [assistant(use('a')), user(result('a'), text)],
      'params.messages[1]: tool results stand alone, in a message of the user',
      '2026-07-28/client/sampling/tool-results-only',
    ],
    [
      'with a result of the assistant',
      [assistant(use('a')), assistant(result('a'))],
      'params.messages[1]: tool results stand alone, in a message of the user',
      '2026-07-28/client/sampling/validate-content',
    ],
    [
      'with a use at the end',
      [user(text), assistant(use('a'))],
      'params.messages: the last tool uses have no result',
    ],
  ])('%s', (...[, messages, problem, ...ids]) => {
    shows(...ids);
    expect(pairingProblem(messages)).toBe(problem);
  });
});

const answer = { role: 'assistant', content: text, model: 'm' } as const;

it('a request reaches the model with its bound, and the answer goes back', async () => {
  shows('2026-07-28/client/sampling/max-tokens');
  const seen: number[] = [];
  const server = new ScriptedServer(serverScript(revision20251125));
  await linked(server, {
    onSample: ({ maxTokens }) => {
      seen.push(maxTokens);
      return answer;
    },
  });
  const messages = [{ role: 'user', content: text }];
  expect((await server.peer.ask('sampling/createMessage', { messages, maxTokens: 7 })).result).toEqual(
    answer,
  );
  expect(seen).toEqual([7]);
});

it.each([
  ['a Uint8Array', Uint8Array.of(1, 2, 3)],
  ['a Blob', new Blob([Uint8Array.of(1, 2, 3)])],
  ['base64', 'AQID'],
])('sends an image of the model as base64 when it is %s', async (_, data) => {
  const server = new ScriptedServer(serverScript(revision20251125));
  const image = { type: 'image', data, mimeType: 'image/png' } as const;
  await linked(server, { onSample: () => ({ role: 'assistant', content: image, model: 'm' }) });
  const messages = [{ role: 'user', content: text }];
  expect((await server.peer.ask('sampling/createMessage', { messages, maxTokens: 7 })).result).toEqual({
    role: 'assistant',
    content: { ...image, data: 'AQID' },
    model: 'm',
  });
});

it('tools are refused unless they were declared; unpaired results always', async () => {
  shows('2024-11-05/client/sampling/content-validated', '2026-07-28/client/sampling/tools-declared');
  const server = new ScriptedServer(serverScript(revision20251125));
  const request = { messages: [], maxTokens: 1, tools: [] };
  await linked(server, { onSample: () => answer });
  expect((await server.peer.ask('sampling/createMessage', request)).error).toEqual({
    code: -32602,
    message: 'This client did not declare sampling with tools.',
  });
  await linked(server, { onSample: () => answer, capabilities: { samplingTools: true } });
  expect((await server.peer.ask('sampling/createMessage', request)).result).toEqual(answer);
  const unpaired = { ...request, messages: [{ role: 'user', content: [result('a')] }] };
  expect((await server.peer.ask('sampling/createMessage', unpaired)).error?.code).toBe(-32602);
});
