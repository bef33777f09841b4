import { revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../../tooling/suite/shows.js';
import { rig } from '../../../test/client-rig.js';
import { openHttp } from '../../client.js';

const stateless = { revision: revision20260728 };

describe('headers of the application', () => {
  it('sends them with every request, and calls a header function for each request', async () => {
    shows('2026-07-28/basic/index/auth-custom');
    let count = 0;
    const headers = async () => ({ Authorization: `Bearer ${++count}` });
    const { server, ask } = await rig((call) => call.result(), { ...stateless, headers });
    await ask(1);
    await ask(2);
    expect(server.calls.map((call) => call.headers.authorization)).toEqual(['Bearer 1', 'Bearer 2']);
  });

  it('prefers the headers of one call', async () => {
    const headers = { authorization: 'a', 'x-trace': 't' };
    const { server, ask } = await rig((call) => call.result(), { ...stateless, headers });
    await ask(1, 'tools/call', { headers: { authorization: 'b' } });
    await ask(2);
    expect(server.calls.map((call) => call.headers.authorization)).toEqual(['b', 'a']);
    expect(server.calls.every((call) => call.headers['x-trace'] === 't')).toBe(true);
  });

  it.each([
    [{ 'Mcp-Session-Id': 'x' }, 'is written by the transport'],
    [{ 'Mcp-Param-Region': 'x' }, 'is written by the transport'],
    [{ 'Content-Length': '1' }, 'is written by the transport'],
    [{ 'x-a': 'a\r\nx-b: b' }, 'without line breaks'],
    [{ 'x a': 'b' }, 'is not a valid HTTP header name'],
  ])('rejects %j at once', (headers, message) => {
    expect(() => openHttp('http://127.0.0.1/', { headers })).toThrow(message);
  });

  it('rejects a call with invalid headers without showing their values', async () => {
    const { ask } = await rig(() => {}, { ...stateless, fetch });
    const asked = ask(1, 'tools/call', { headers: { authorization: 'Bearer se\ncret' } });
    const error = await asked.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain('"authorization"');
    expect(String(error)).not.toContain('cret');
  });

  it('fails the request if a header function returns an invalid value', async () => {
    const { ask } = await rig((call) => call.result(), { headers: () => ({ host: 'x' }) });
    await expect(ask(1)).rejects.toThrow(TypeError);
  });
});
