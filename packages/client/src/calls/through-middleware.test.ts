import { ErrorCode } from '@tenon/mcp-protocol';
import { revision20250326, revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { type HttpCall, HttpPeer, modern } from '../../test/http-peer.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import type { Middleware } from '../index.js';

const form = { type: 'object', properties: { unit: { type: 'string' } } };
const elicit = { method: 'elicitation/create', params: { message: 'Which?', requestedSchema: form } };
const onElicit = () => ({ action: 'accept', content: { unit: 'C' } }) as const;
const content = (text: string) => [{ type: 'text', text }];

/** Middleware that notes each tool call, and its end. */
function noting() {
  const notes: string[] = [];
  const middleware: Middleware = async (call, next) => {
    if (call.method !== 'tools/call') return next();
    notes.push(`${call.direction} ${String(call.params.name)} ${await call.round()}`);
    try {
      const result = await next();
      notes.push(JSON.stringify(result.content));
      return result;
    } catch (error) {
      notes.push((error as Error).message);
      throw error;
    }
  };
  return { notes, middleware };
}

it('wraps a call of several rounds once, with its final result', async () => {
  const { notes, middleware } = noting();
  let calls = 0;
  const states: unknown[] = [];
  const server = new ScriptedServer(
    serverScript(revision20260728, {
      'tools/call': ({ requestState }) => {
        states.push(requestState);
        return ++calls < 3
          ? { resultType: 'input_required', inputRequests: { unit: elicit }, requestState: `s${calls}` }
          : { resultType: 'complete', content: content('done') };
      },
    }),
  );
  const client = await linked(server, { onElicit, middleware: [middleware] });
  expect((await client.callTool('forecast')).content).toEqual(content('done'));
  expect(states).toEqual([undefined, 's1', 's2']);
  expect(notes).toEqual(['outbound forecast 1', JSON.stringify(content('done'))]);
});

it('shares the state of a call with middleware and with handlers of its input requests, and sends none of it', async () => {
  const seen: unknown[] = [];
  const sent: unknown[] = [];
  let calls = 0;
  const server = new ScriptedServer(
    serverScript(revision20260728, {
      'tools/call': (params) => {
        sent.push(params);
        return ++calls === 1
          ? { resultType: 'input_required', inputRequests: { unit: elicit }, requestState: 's' }
          : { resultType: 'complete', content: content('done') };
      },
    }),
  );
  const watching: Middleware = (call, next) => {
    if (call.method !== 'server/discover') seen.push([call.method, call.state]);
    return next();
  };
  const client = await linked(server, {
    middleware: [watching],
    onElicit: (_, context) => {
      seen.push(context.state);
      return onElicit();
    },
  });
  const state = { user: 'ada' };
  await client.callTool('forecast', {}, { state });
  expect(seen).toEqual([['tools/call', state], ['elicitation/create', state], state]);
  expect(seen[2]).toBe(state);
  expect(JSON.stringify(sent)).not.toContain('ada');
});

it('wraps a call once that is sent again with changed params, and checks the changed result', async () => {
  const { notes, middleware } = noting();
  const seen: unknown[] = [];
  const change: Middleware = async (call, next) => {
    if (call.method !== 'tools/call') return next();
    const result = await next({ ...call.params, name: 'other' });
    return { ...result, structuredContent: { n: 'text' } };
  };
  const tools = [
    {
      name: 'n',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object', properties: { n: { type: 'number' } } },
    },
  ];
  const server = new ScriptedServer(
    serverScript(revision20260728, {
      'tools/list': () => ({ tools, ttlMs: 0, cacheScope: 'private' }),
      'tools/call': ({ name, requestState }) => {
        seen.push([name, requestState]);
        return requestState === undefined
          ? { resultType: 'input_required', inputRequests: { unit: elicit }, requestState: 's' }
          : { resultType: 'complete', content: [], structuredContent: { n: 1 } };
      },
    }),
  );
  const client = await linked(server, { onElicit, middleware: [middleware, change] });
  await client.tools().all();
  await expect(client.callTool('n')).rejects.toThrow('#/n: must be number');
  expect(seen).toEqual([
    ['other', undefined],
    ['other', 's'],
  ]);
  expect(notes).toEqual(['outbound n 1', '[]']);
});

it('wraps a call once when a closing server refuses it twice', async () => {
  const { notes, middleware } = noting();
  let refusals = 2;
  const peer = await HttpPeer.start(
    modern({
      'tools/call': (call: HttpCall) =>
        refusals-- > 0 ? call.error(503, ErrorCode.shuttingDown) : call.result({ content: content('done') }),
    }),
  );
  const client = await peer.connect({ middleware: [middleware], reconnect: { delay: 1, maxDelay: 1 } });
  expect((await client.callTool('a')).content).toEqual(content('done'));
  expect(peer.heard.filter((method) => method === 'tools/call')).toHaveLength(3);
  expect(notes).toEqual(['outbound a 1', JSON.stringify(content('done'))]);
});

it('wraps each call of a batch once', async () => {
  const { notes, middleware } = noting();
  const server = new ScriptedServer(
    serverScript(revision20250326, { 'tools/call': ({ name }) => ({ content: content(String(name)) }) }),
  );
  const client = await linked(server, { middleware: [middleware] });
  await Promise.all(
    client.batch([
      { method: 'tools/call', params: { name: 'b' } },
      { method: 'tools/call', params: { name: 'c' } },
    ]),
  );
  expect(notes.sort()).toEqual([
    JSON.stringify(content('b')),
    JSON.stringify(content('c')),
    'outbound b 1',
    'outbound c 1',
  ]);
});

it('answers a call without a request when middleware does, and rejects it with the error of the middleware', async () => {
  let calls = 0;
  const server = new ScriptedServer(
    serverScript(revision20251125, {
      'tools/call': () => {
        calls++;
        return { content: [] };
      },
    }),
  );
  const client = await linked(server, {
    middleware: [
      (call, next) => {
        if (call.params.name === 'known') return Promise.resolve({ content: content('known') });
        if (call.params.name === 'refused') throw new Error('The user refused');
        return next();
      },
    ],
  });
  expect((await client.callTool('known')).content).toEqual(content('known'));
  await expect(client.callTool('refused')).rejects.toThrow('The user refused');
  expect(calls).toBe(0);
});
