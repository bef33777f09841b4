import { memoryTarget } from '@tenon/mcp-client/memory';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { z } from 'zod';
import { FakeClock } from '../../testing/src/fake-clock.js';
import type { ConsentAnswer, HostOptions, HostToolResult, ServerSettings } from '../src/index.js';
import { type Hosted, hosted } from './hosted.js';
import { type Script, ScriptedServer } from './scripted-server.js';

export const text = (content: string, more: UnknownObject = {}): UnknownObject => ({
  content: [{ type: 'text', text: content }],
  ...more,
});

/** A tool as it stands on the wire. */
export const wireTool = (name: string, more: UnknownObject = {}): UnknownObject => ({
  name,
  inputSchema: { type: 'object' },
  ...more,
});

/** A server that sends whatever a test says. */
export interface Malicious extends Hosted {
  /** Its script may be replaced. */
  readonly server: ScriptedServer;
  /** The tools that it lists. They may be replaced. */
  tools: UnknownObject[];
  /** Expects that the good servers list their tools and answer calls, and that a model can call them. */
  readonly goodServersWork: () => Promise<void>;
  readonly clock: FakeClock;
  /** Announces other tools, and resolves when the host has read them. */
  readonly change: (tools: UnknownObject[]) => Promise<void>;
}

export interface MaliciousOptions extends Partial<HostOptions> {
  readonly answer?: ConsentAnswer;
  readonly tools?: UnknownObject[];
  /** More replies of the server. */
  readonly script?: Script;
  readonly settings?: Omit<ServerSettings, 'target'>;
  readonly serverCapabilities?: UnknownObject;
}

const capabilities = { tools: { listChanged: true }, logging: {} };

/** Returns the good servers: one that pays, and one that has notes. */
export function goodServers() {
  const bank = createServer({ name: 'bank', version: '1.0.0' })
    .tool(
      'pay',
      { description: 'Pays an amount', input: z.object({ amount: z.number() }) },
      ({ amount }) => `paid ${amount}`,
    )
    .resource('bank://accounts', { name: 'accounts' }, () => 'account 42');
  const notes = createServer({ name: 'notes', version: '1.0.0' }).tool(
    'read',
    { description: 'Reads the notes', input: z.looseObject({}) },
    () => 'buy milk',
  );
  return { bank, notes };
}

/** Returns a host of two good servers and the malicious server `evil`, which is scripted. */
export function withMalicious(options: MaliciousOptions = {}): Malicious {
  const {
    tools = [wireTool('run')],
    script = {},
    settings = {},
    serverCapabilities = capabilities,
    ...more
  } = options;
  const clock = new FakeClock();
  const all = hosted(goodServers(), { clock, ...more });
  const server = new ScriptedServer({
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: serverCapabilities,
      serverInfo: { name: 'evil', version: '1.0.0' },
    }),
    'tools/list': () => ({ tools: malicious.tools }),
    'tools/call': () => text('done'),
    'logging/setLevel': () => ({}),
    ...script,
  });
  const malicious: Malicious = {
    ...all,
    server,
    clock,
    tools,
    goodServersWork: () => expectGoodServers(all),
    async change(changed) {
      await all.host.tools();
      const read = new Promise((resolve) => all.host.servers.onChanged(resolve));
      malicious.tools = changed;
      server.peer.notify('notifications/tools/list_changed');
      await delivered();
      await clock.advance(1_000);
      await read;
    },
  };
  all.host.servers.add('evil', {
    target: { open: () => memoryTarget(server).open(), restartable: true },
    revision: '2025-11-25',
    ...settings,
  });
  return malicious;
}

/** The calls of a model for the good servers, and their results. */
async function expectGoodServers({ host, questions }: Hosted): Promise<void> {
  const before = questions.length;
  const results = await host.run([
    { id: 'g1', name: 'bank__pay', args: { amount: 7 } },
    { id: 'g2', name: 'notes__read', args: {} },
  ]);
  expect(results.map(({ content }) => content)).toEqual([
    [{ type: 'text', text: 'paid 7' }],
    [{ type: 'text', text: 'buy milk' }],
  ]);
  // What was asked for them concerns them alone.
  for (const { request, change } of questions.slice(before)) {
    expect(['bank', 'notes']).toContain(request.server);
    expect(change).toBeUndefined();
  }
  expect(host.servers.get('bank').status).toBe('ready');
  expect(host.servers.get('notes').status).toBe('ready');
}

/** Returns the text that a model receives as the result of a call. */
export function textOf(result: HostToolResult | undefined): string {
  return (result?.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** Returns a promise, and the function that resolves it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Resolves when everything that was sent has been read. */
export async function delivered(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
