import { describe, expect, it } from 'vitest';
import { environmentProxy } from './environment-proxy.js';

const proxy = 'http://proxy.corp:8080';
const of = (url: string, env: Record<string, string>) => environmentProxy(new URL(url), env);

describe('environmentProxy', () => {
  it.each([
    ['https://mcp.example/mcp', { HTTPS_PROXY: proxy }, proxy],
    ['https://mcp.example/mcp', { https_proxy: proxy, HTTPS_PROXY: 'http://other.corp' }, proxy],
    ['https://mcp.example/mcp', { https_proxy: '', HTTPS_PROXY: proxy }, undefined],
    ['https://mcp.example/mcp', { HTTP_PROXY: proxy }, undefined],
    ['https://mcp.example/mcp', { HTTPS_PROXY: 'proxy.corp:8080' }, proxy],
    ['https://mcp.example/mcp', { HTTPS_PROXY: 'https://proxy.corp' }, 'https://proxy.corp'],
    ['http://mcp.example/mcp', { HTTP_PROXY: proxy }, proxy],
    ['http://mcp.example/mcp', { http_proxy: proxy, REQUEST_METHOD: 'GET' }, proxy],
    ['http://mcp.example/mcp', { HTTP_PROXY: proxy, REQUEST_METHOD: 'GET' }, undefined],
    ['http://mcp.example/mcp', {}, undefined],
  ])('is for %s with %j the proxy %s', (url, env, expected) => {
    expect(of(url, env as unknown as Record<string, string>)?.origin).toBe(expected);
  });

  it.each(['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]'])('is never used for %s', (host) => {
    expect(of(`http://${host}:3000/mcp`, { HTTP_PROXY: proxy, HTTPS_PROXY: proxy })).toBeUndefined();
    expect(of(`https://${host}/mcp`, { HTTP_PROXY: proxy, HTTPS_PROXY: proxy })).toBeUndefined();
  });

  it.each([
    ['mcp.corp', 'mcp.corp', true],
    ['a.mcp.corp', 'mcp.corp', true],
    ['a.mcp.corp', '.corp', true],
    ['a.mcp.corp', '*.corp', true],
    ['notmcp.corp', 'mcp.corp', false],
    ['mcp.corp', 'other.corp, MCP.corp', true],
    ['mcp.corp', 'other.corp mcp.corp', true],
    ['mcp.corp', 'mcp.corp:443', true],
    ['mcp.corp', 'mcp.corp:8443', false],
    ['mcp.corp:8443', 'mcp.corp:8443', true],
    ['mcp.corp', '*', true],
    ['mcp.corp', '', false],
    ['mcp.corp', ',.,', false],
    ['10.1.2.3', '10.0.0.0/8', true],
    ['11.1.2.3', '10.0.0.0/8', false],
    ['192.168.1.9', '192.168.1.8/30', true],
    ['192.168.1.12', '192.168.1.8/30', false],
    ['mcp.corp', '0.0.0.0/0', false],
    ['10.1.2.3', '10.0.0.0/99', false],
    ['[fd00::1]', '[fd00::1]', true],
    ['[fd00::1]', 'fd00::1', true],
  ])('is for the host %s with NO_PROXY=%j left out: %j', (host, list, isDirect) => {
    const env = { HTTPS_PROXY: proxy, NO_PROXY: list };
    expect(of(`https://${host}/mcp`, env) === undefined).toBe(isDirect);
  });

  it('has the user name and password of its URL, decoded', () => {
    const found = of('https://mcp.example/', { HTTPS_PROXY: 'http://ada:p%40ss%C3%A9@proxy.corp:8080' });
    expect(found).toEqual({
      origin: proxy,
      authorization: `Basic ${Buffer.from('ada:p@ssé').toString('base64')}`,
    });
  });

  it.each([
    'socks5://ada:secret@proxy.corp',
    'http://',
    'ftp://secret',
    'http://ada:12/secret@proxy.corp:8080',
    'http://ada:12#secret@proxy.corp:8080',
    'http://ada:12?secret@proxy.corp:8080',
  ])('cannot be %s', (value) => {
    const task = () => of('https://mcp.example/', { HTTPS_PROXY: value });
    expect(task).toThrow('The variable HTTPS_PROXY must be the http or https URL of a proxy');
    expect(task).not.toThrow('secret');
  });
});
