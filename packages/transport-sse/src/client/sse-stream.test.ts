import { TransportError } from '@tenon/mcp-protocol';
import { expect, it } from 'vitest';
import { endpointUrl } from './sse-stream.js';

const stream = 'https://mcp.example/sse';

it.each([
  ['/messages?id=1', 'https://mcp.example/messages?id=1'],
  ['messages', 'https://mcp.example/messages'],
  ['https://mcp.example:443/messages', 'https://mcp.example/messages'],
  ['HTTPS://MCP.EXAMPLE/messages', 'https://mcp.example/messages'],
])('accepts the endpoint %s of the origin of the stream', (uri, expected) => {
  expect(String(endpointUrl(uri, stream))).toBe(expected);
});

it.each([
  ['http://mcp.example/messages', stream],
  ['http://mcp.example:443/messages', stream],
  ['https://mcp.example:8443/messages', stream],
  ['https://mcp.example.evil.example/messages', stream],
  ['//evil.example/messages', stream],
  ['https://mcp.example@evil.example/messages', stream],
  ['wss://mcp.example/messages', stream],
  ['https://127.0.0.1:3000/messages', 'http://127.0.0.1:3000/sse'],
])('rejects the endpoint %s of the stream %s: credentials would go there', (uri, from) => {
  const problem = endpointUrl(uri, from);
  expect(problem).toBeInstanceOf(TransportError);
  expect((problem as TransportError).message).toContain('another origin');
});
