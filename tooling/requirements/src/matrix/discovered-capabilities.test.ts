import { createServer, type Server } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

const make = () => createServer({ name: 'capable', version: '1.0.0' }) as unknown as Server;

interface Feature {
  readonly id: string;
  readonly capability: 'tools' | 'prompts' | 'resources' | 'completions';
  add(server: Server): unknown;
}

const features: readonly Feature[] = [
  {
    id: '2026-07-28/server/tools/declare-capability',
    capability: 'tools',
    add: (server) => server.tool('one', {}, () => 'x'),
  },
  {
    id: '2026-07-28/server/prompts/declare-capability',
    capability: 'prompts',
    add: (server) => server.prompt('one', {}, () => 'x'),
  },
  {
    id: '2026-07-28/server/resources/declare-capability',
    capability: 'resources',
    add: (server) => server.resource('a://one', {}, () => 'x'),
  },
  {
    id: '2026-07-28/server/utilities/completion/declare-capability',
    capability: 'completions',
    add: (server) => server.resource('a://{id}', { complete: { id: () => ['one'] } }, () => 'x'),
  },
];

for (const { id, capability, add } of features) {
  requirement([id], {}, async ({ serve }) => {
    const server = make();
    add(server);
    const { client, wire } = await serve(server);
    expect(wire.answer('server/discover').result?.capabilities).toHaveProperty(capability);
    expect(client.capabilities[capability]).toBeDefined();
    // A server without entries does not declare the capability.
    const without = await serve(make());
    expect(without.wire.answer('server/discover').result?.capabilities).not.toHaveProperty(capability);
  });
}
