import { connect } from '@tenon/mcp-client';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { core, ScriptedTask, text } from '../../test/scripted-tasks.js';
import { tasks } from '../client.js';
import { relatedTaskKey } from '../model/task.js';

/** A server of one session over HTTP, as the `fetch` of a client. Its stream for GET belongs to no request. */
class SessionOverHttp {
  readonly task = new ScriptedTask('t-1', core);
  readonly answers: UnknownObject[] = [];
  #push: (message: object) => void = () => {};
  readonly #body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      this.#push = (message) =>
        controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(message)}\n\n`));
    },
  });

  /** Sends a request on the stream for GET. */
  push(message: object): void {
    this.#push({ jsonrpc: '2.0', ...message });
  }

  readonly fetch = async (_url: string, init: RequestInit): Promise<Response> => {
    if (init.method === 'GET')
      return new Response(this.#body, { headers: { 'content-type': 'text/event-stream' } });
    if (init.method !== 'POST') return new Response(null, { status: 200 });
    const message = JSON.parse(String(init.body)) as UnknownObject;
    if (message.method === undefined) this.answers.push(message);
    if (message.id === undefined || message.method === undefined) return new Response(null, { status: 202 });
    const result = this.#resultOf(String(message.method));
    return new Response(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }), {
      headers: { 'content-type': 'application/json', 'mcp-session-id': 's-1' },
    });
  };

  #resultOf(method: string): UnknownObject {
    const { revision, capabilities } = core;
    const serverInfo = { name: 'scripted', version: '1' };
    const results: Record<string, UnknownObject> = {
      initialize: { protocolVersion: revision.id, capabilities, serverInfo },
      'tools/list': {
        tools: [{ name: 'always', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }],
      },
      'tools/call': this.task.created,
      'tasks/get': this.task.flat,
      'tasks/result': text('done'),
    };
    return results[method] ?? {};
  }
}

it('answers an input request of a task on the stream for messages of no request', async () => {
  shows('2025-11-25-tasks/tasks/any-stream');
  const server = new SessionOverHttp();
  const clock = new FakeClock();
  const client = await connect('https://tasks.example/mcp', {
    info: { name: 'client', version: '1' },
    clock,
    fetch: server.fetch,
    revisions: [core.revision.id],
    onElicit: () => ({ action: 'accept', content: { name: 'Al' } }),
    extensions: [tasks()],
  });
  const passing = async <T>(wanted: () => T | undefined): Promise<T> => {
    for (let turn = 0; turn < 5_000; turn++) {
      const found = wanted();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (turn % 5 === 4) await clock.advance(300);
    }
    throw new Error('It did not happen.');
  };
  await client.tools().all();
  let ended: unknown;
  const call = client.callTool('always').then((result) => {
    ended = result;
  });
  const _meta = { [relatedTaskKey]: { taskId: 't-1' } };
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
  const params = { message: 'Which?', requestedSchema, _meta };
  server.push({ id: 'ask-1', method: 'elicitation/create', params });
  const answer = await passing(() => server.answers[0]);
  expect(answer).toMatchObject({ id: 'ask-1', result: { action: 'accept', content: { name: 'Al' }, _meta } });
  server.task.become({ status: 'completed' });
  expect(await passing(() => ended)).toMatchObject(text('done'));
  await call;
  await client.close();
});
