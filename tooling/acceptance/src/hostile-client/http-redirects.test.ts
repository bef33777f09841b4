import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from '@tenon/mcp-client';
import { afterAll, describe, expect, it } from 'vitest';
import { answered, fails, status } from './http-answering.js';
import { stateless, table } from './table.js';

/** Another server, which must receive no request. */
let visits = 0;
const elsewhere = createServer((_, response) => {
  visits++;
  response.end();
}).listen(0, '127.0.0.1');
await once(elsewhere, 'listening');
afterAll(() => void elsewhere.close());
const away = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/mcp`;

table('redirects', [
  ...[301, 302, 307, 308].flatMap((code) => [
    answered(
      `${code} to another server`,
      status(code, { location: away }),
      fails(/another origin \(http:\/\/127\.0\.0\.1/, code),
      { revisions: [stateless] },
    ),
    answered(
      `${code} without end`,
      ({ request, response }) => response.writeHead(code, { location: `${request.url}x` }).end(),
      fails(/more than 5 times/, code),
      { revisions: [stateless], serves: false },
    ),
  ]),
  answered(
    'in a circle',
    ({ request, response }) => response.writeHead(307, { location: request.url ?? '' }).end(),
    fails(/more than 5 times/),
  ),
  answered('303 to a GET', status(303, { location: '/other' }), fails(/does not keep a message whole/)),
  answered('300 with a choice', status(300, { location: away }), fails(/redirects/)),
  answered('304', status(304), fails(/redirects/)),
  answered('to nowhere', status(307), fails(/redirects/)),
  answered('to an invalid URL', status(307, { location: 'http://[' }), fails(/to an invalid URL/)),
  answered(
    'to https of the same host',
    status(307, { location: 'https://127.0.0.1/mcp' }),
    fails(/another origin/),
  ),
  answered('to a file', status(307, { location: 'file:///etc/passwd' }), fails(/another origin \(file:/)),
  answered(
    'to a script',
    status(307, { location: 'javascript:alert(1)' }),
    fails(/another origin \(javascript:/),
  ),
  answered(
    'to the same host with a password',
    ({ request, response }) =>
      response.writeHead(307, { location: `http://user:secret@${request.headers.host}/x` }).end(),
    { error: 'TransportError', text: /./ },
    { serves: false },
  ),
  answered(
    'to another server with a secret in its address',
    status(307, { location: `${away}?token=secret` }),
    { error: 'TransportError', text: /^(?!.*secret)/ },
  ),
]);

describe('another server', () => {
  it('is not followed from https to http', async () => {
    const asked: string[] = [];
    const fetch = async (input: string) => {
      asked.push(input);
      return new Response(null, { status: 307, headers: { location: 'http://server.example/mcp' } });
    };
    const connecting = connect('https://server.example/mcp', {
      info: { name: 'honest', version: '1' },
      fetch,
    });
    await expect(connecting).rejects.toThrow(/another origin \(http:\/\/server\.example\)/);
    expect(asked).toEqual(['https://server.example/mcp']);
  });

  it('received no request', () => expect(visits).toBe(0));
});
