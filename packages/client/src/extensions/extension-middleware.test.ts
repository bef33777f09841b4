import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import type { Middleware } from '@tenon/mcp-session';
import { describe, expect, it } from 'vitest';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import { defineExtension } from './define-extension.js';

const id = 'com.example/trace';
const tools = { tools: {} };

describe.each([revision20251125, revision20260728])('an undeclared extension in $id', (revision) => {
  it('wraps calls outside of the option middleware, and knows the server', async () => {
    const order: string[] = [];
    const noting =
      (name: () => string): Middleware =>
      (call, next) => {
        if (call.method === 'tools/call') order.push(`${call.direction} ${name()}`);
        return next();
      };
    const extension = defineExtension({
      id,
      settings: () => undefined,
      middleware: (client) => noting(() => `extension at ${client.server?.transport}`),
    });
    const done = { content: [], resultType: 'complete' };
    const server = new ScriptedServer(serverScript(revision, { 'tools/call': () => done }, tools));
    const client = await linked(server, { extensions: [extension], middleware: [noting(() => 'option')] });
    await client.callTool('greet');
    expect(order).toEqual(['outbound extension at memory', 'outbound option']);
    expect(
      JSON.stringify(server.peer.methods.map((method) => server.peer.paramsOf(method ?? ''))),
    ).not.toContain(id);
  });

  it('is notified of the begin and the end of each session', async () => {
    const seen: unknown[] = [];
    const extension = defineExtension({
      id,
      settings: () => undefined,
      onSession({ server }, used) {
        seen.push(server?.revision.lifecycle, used);
        return (reason) => seen.push(reason);
      },
    });
    const server = new ScriptedServer(serverScript(revision, {}, tools));
    const client = await linked(server, { extensions: [extension] });
    const begun = [revision.lifecycle, revision.id];
    expect(seen).toEqual(begun);
    await client.close();
    expect(seen).toEqual([...begun, undefined]);
  });
});
