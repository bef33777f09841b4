import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

requirement(
  ['2024-11-05/basic/utilities/ping/answered', '2024-11-05/basic/utilities/ping/either-end'],
  {},
  async ({ serve }) => {
    const { client, wire } = await serve(createServer({ name: 'bench', version: '1.0.0' }));
    await client.ping();
    const [asked] = wire.sent('client', 'ping');
    expect(asked?.params ?? {}).toEqual({});
    expect(wire.answer('ping').result).toEqual({});
  },
);
