import { createServer } from '@tenon/mcp-server';
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { sseMount } from '@tenon/mcp-server/sse';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { nodeFace } from '../http/face.js';
import { SseClient } from '../transcripts/sse-peer.js';
import { type MessageRow, messageTable } from './message-table.js';
import { handshakes, oneOfEachKind, Speech } from './speech.js';

const tooMany = /more than 10000 values do not fit the schema/;
const list = (count: number, value: unknown) => ({ list: Array.from({ length: count }, () => value) });

const row = (name: string, tool: string, input: object): MessageRow => ({
  name,
  says: (speech) => speech.call(1, tool, input),
  gets: ({ rules }) =>
    rules.badToolInput === 'tool-error'
      ? { result: { isError: true, content: [{ text: expect.stringMatching(tooMany) }] } }
      : { code: -32602, id: 1, text: tooMany },
});

messageTable('schema work', [
  row('a list of objects, each with two problems', 'lots', list(20_000, {})),
  row('a list in which no branch fits', 'either', list(20_000, {})),
  row('a list of what is no object', 'lots', list(20_000, 1)),
  {
    name: 'a large list that fits',
    says: (speech) => speech.call(1, 'lots', list(20_000, { a: 1, b: '' })),
    gets: { result: { content: [{ text: '20000' }] } },
  },
]);

/** A server that counts the calls of its schema library. */
function watched() {
  const inner = z.object({ list: z.array(z.object({ a: z.number() })) })['~standard'];
  const seen = { calls: 0 };
  const schema = {
    '~standard': {
      version: 1 as const,
      vendor: 'zod',
      jsonSchema: inner.jsonSchema,
      validate: (value: unknown) => {
        seen.calls++;
        return inner.validate(value);
      },
    },
  };
  const server = createServer({ name: 'watched', version: '1.0.0' }).tool(
    'lots',
    { input: schema },
    () => 'ok',
  );
  return { server, seen };
}

describe('a schema library does not receive a value with too many problems', () => {
  it.each(oneOfEachKind.map((revision) => [revision.id, revision] as const))(
    'posted to a fetch handler in %s',
    async (_id, revision) => {
      const { server, seen } = watched();
      const handle = toFetchHandler(server);
      const speech = new Speech(revision);
      const headers: Record<string, string> = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const post = (body: string) =>
        handle(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }));
      if (revision.lifecycle === 'handshake') {
        const opened = await post(speech.initialize());
        headers['mcp-session-id'] = opened.headers.get('mcp-session-id') ?? '';
        headers['mcp-protocol-version'] = revision.id;
        await opened.text();
        await post(speech.notice('notifications/initialized'));
      } else {
        headers['mcp-protocol-version'] = revision.id;
        headers['mcp-method'] = 'tools/call';
        headers['mcp-name'] = 'lots';
      }
      expect(await (await post(speech.call(1, 'lots', list(20_000, {})))).text()).toMatch(tooMany);
      expect(seen.calls).toBe(0);
      expect(await (await post(speech.call(2, 'lots', list(1, { a: 1 })))).text()).toContain('ok');
      expect(seen.calls).toBe(1);
    },
  );

  it.each(handshakes.map((revision) => [revision.id, revision] as const))(
    'over HTTP+SSE in %s',
    async (_id, revision) => {
      const { server, seen } = watched();
      const face = await nodeFace(server, { mounts: [sseMount(server)] });
      const client = await SseClient.open(face);
      const speech = new Speech(revision);
      await client.send([speech.initialize()]);
      await client.next();
      await client.send([
        speech.notice('notifications/initialized'),
        speech.call(1, 'lots', list(20_000, {})),
      ]);
      expect(JSON.stringify(await client.next())).toMatch(tooMany);
      expect(seen.calls).toBe(0);
      await client.end();
      await face.close();
    },
  );
});
