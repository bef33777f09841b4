import { expect, it } from 'vitest';
import { targetUri } from './proof-check.js';

it.each([
  ['HTTPS://MCP.Example:443/mcp?x=1#y', 'https://mcp.example/mcp'],
  ['https://mcp.example', 'https://mcp.example/'],
  ['https://mcp.example/%7Eme/%2f', 'https://mcp.example/~me/%2F'],
  ['https://mcp.example/a/../mcp', 'https://mcp.example/mcp'],
  ['http://127.0.0.1:8080/mcp', 'http://127.0.0.1:8080/mcp'],
])('normalizes %s to %s', (address, read) => {
  expect(targetUri(address)).toBe(read);
});

it('keeps different URLs different', () => {
  const all = [
    'https://mcp.example/mcp',
    'https://mcp.example/mcp/',
    'https://mcp.example/MCP',
    'http://mcp.example/mcp',
  ];
  expect(new Set(all.map(targetUri)).size).toBe(all.length);
});

it.each(['', 'mcp', '/mcp', 'ftp://mcp.example/mcp', 'https://me:secret@mcp.example/', 7, undefined])(
  'returns undefined for %s',
  (address) => {
    expect(targetUri(address)).toBeUndefined();
  },
);
