import { createServer, ToolError } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { z } from 'zod';
import { requirement, type Stage } from './requirement.js';
import type { End, Message, Wire } from './wire.js';

function bench() {
  const server = createServer({ name: 'bench', version: '1.0.0' }, { onError: () => {} });
  server.tool('saw', { input: z.object({ boards: z.number() }) }, ({ boards }, ctx) => {
    ctx.log('info', 'Sawing');
    ctx.progress(1, boards);
    return `Sawn ${boards}`;
  });
  server.tool('where', {}, async (_, ctx) => (await ctx.roots('folders')).length.toString());
  server.tool('break', {}, () => {
    throw new ToolError('It broke.');
  });
  server.prompt('greet', {}, () => 'Hello!');
  return server;
}

/** A session with requests in both directions, notifications, results and errors. */
async function conversation({ serve }: Stage): Promise<Wire> {
  const { client, wire } = await serve(bench(), { roots: [{ uri: 'file:///a' }], logLevel: 'debug' });
  await Promise.all([
    client.request('tools/call', { name: 'saw', arguments: { boards: 2 } }, { onProgress: () => {} }),
    client.request('tools/call', { name: 'where' }),
    client.request('tools/call', { name: 'break' }),
    client.request('prompts/get', { name: 'nobody' }).catch(() => {}),
    client.request('prompts/get', { name: 'greet' }),
  ]);
  return wire;
}

const other = (end: End): End => (end === 'client' ? 'server' : 'client');
const isRequest = ({ method, id }: Message) => method !== undefined && id !== undefined;
const isNotification = ({ method, id }: Message) => method !== undefined && id === undefined;
const isResponse = ({ method }: Message) => method === undefined;

function bothEnds(wire: Wire, look: (end: End, said: readonly Message[]) => void): void {
  for (const end of ['client', 'server'] as const) look(end, wire.from(end));
}

requirement(
  [
    '2024-11-05/basic/index/json-rpc',
    '2024-11-05/basic/transports/stdin-messages-only',
    '2024-11-05/basic/transports/custom-keeps-protocol',
    '2025-03-26/json-rpc/params',
    '2025-03-26/json-rpc/notification-method',
    '2025-03-26/json-rpc/notification-params',
  ],
  {},
  async (stage) => {
    const wire = await conversation(stage);
    bothEnds(wire, (_, said) => {
      expect(said.length).toBeGreaterThan(3);
      for (const message of said) {
        expect(message.jsonrpc).toBe('2.0');
        expect([isRequest, isNotification, isResponse].filter((is) => is(message))).toHaveLength(1);
        if ('method' in message) expect(message.method).toMatch(/./);
        if ('params' in message) expect(message.params).toEqual(expect.objectContaining({}));
        for (const name of Object.keys(message))
          expect(['jsonrpc', 'id', 'method', 'params', 'result', 'error']).toContain(name);
      }
    });
  },
);

requirement(
  [
    '2024-11-05/basic/index/request-members',
    '2024-11-05/basic/messages/id-kind',
    '2024-11-05/basic/messages/id-not-null',
    '2024-11-05/basic/messages/id-not-reused',
  ],
  {},
  async (stage) => {
    bothEnds(await conversation(stage), (_, said) => {
      const requests = said.filter(isRequest);
      for (const { id, method } of requests) {
        expect(typeof id === 'string' || Number.isInteger(id)).toBe(true);
        expect(method).not.toBe('');
      }
      expect(new Set(requests.map(({ id }) => id)).size).toBe(requests.length);
    });
  },
);

requirement(['2024-11-05/basic/messages/response-id'], {}, async (stage) => {
  const wire = await conversation(stage);
  bothEnds(wire, (end, said) => {
    const asked = wire.from(other(end)).filter(isRequest);
    const ids = said.filter(isResponse).map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set(asked.map(({ id }) => id)));
    expect(ids).toHaveLength(asked.length);
  });
});

requirement(
  [
    '2024-11-05/basic/messages/result-or-error',
    '2024-11-05/basic/messages/not-both',
    '2024-11-05/basic/messages/error-code-integer',
    '2024-11-05/basic/index/error-members',
  ],
  {},
  async (stage) => {
    const responses = (await conversation(stage)).from('server').filter(isResponse);
    for (const response of responses) expect('result' in response).not.toBe('error' in response);
    const errors = responses.flatMap(({ error }) => error ?? []);
    expect(errors).toHaveLength(1);
    for (const { code, message } of errors) {
      expect(Number.isInteger(code)).toBe(true);
      expect(message).toBeTypeOf('string');
    }
  },
);

requirement(['2024-11-05/basic/messages/notification-without-id'], {}, async (stage) => {
  const wire = await conversation(stage);
  const notifications = wire.from('server').filter(({ method }) => method?.startsWith('notifications/'));
  expect(notifications.length).toBeGreaterThan(1);
  for (const notification of [...notifications, ...wire.sent('client', 'notifications/initialized')])
    expect(notification).not.toHaveProperty('id');
});
