import { createHash, createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { presentProof } from './replayed-proof.js';

test('sends one proof in each request, for the token, the method and the URL', async () => {
  const { url, heads } = await answering(['200', '401', '503']);
  const call = { url, name: 'caller', principal: 'ada', number: 7 };
  const presented = await presentProof(call, { copies: 3, together: false });
  expect(presented).toEqual({ number: 7, accepted: 1, refused: 1, others: [503], result: { is: 'here' } });
  const [first, ...others] = heads.map(({ dpop }) => String(dpop));
  expect(others).toEqual([first, first]);
  const [head = '', claims = '', signature = ''] = String(first).split('.');
  const { jwk, ...header } = decoded(head);
  expect(header).toEqual({ typ: 'dpop+jwt', alg: 'ES256' });
  const token = String(heads[0]?.authorization).replace('DPoP ', '');
  const ath = createHash('sha256').update(token).digest('base64url');
  expect(decoded(claims)).toMatchObject({ htm: 'POST', htu: url, ath, jti: expect.any(String) });
  const key = /** @type {const} */ ({
    key: createPublicKey({ key: jwk, format: 'jwk' }),
    dsaEncoding: 'ieee-p1363',
  });
  const signed = Buffer.from(`${head}.${claims}`);
  expect(verify('sha256', signed, key, Buffer.from(signature, 'base64url'))).toBe(true);
});

test('makes a new proof for each call', async () => {
  const { url, heads } = await answering(['200', '200']);
  for (const number of [1, 2])
    await presentProof({ url, name: 'caller', principal: 'ada', number }, { copies: 1, together: true });
  expect(heads[0]?.dpop).not.toBe(heads[1]?.dpop);
});

test.each([
  ['{"id":1,"result":{"is":"here"}}', { is: 'here' }],
  ['id: 1\ndata: {"method":"x"}\n\ndata: {"id":1,"result":{"is":"here"}}\n\n', { is: 'here' }],
  ['{"id":1,"error":{"code":-31001}}', undefined],
  [': keep-alive\n\n', undefined],
  ['', undefined],
])('reads the result in %j', async (body, result) => {
  const { url } = await answering(['200'], body);
  const call = { url, name: 'caller', principal: 'ada', number: 1 };
  const presented = await presentProof(call, { copies: 1, together: true });
  expect(presented.result).toEqual(result);
});

/** @param {string} part */
function decoded(part) {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}

/**
 * A server that answers with these statuses in turn.
 *
 * @param {string[]} statuses
 * @param {string} [body]
 */
async function answering(statuses, body = '{"result":{"is":"here"}}') {
  /** @type {import('node:http').IncomingHttpHeaders[]} */
  const heads = [];
  const server = createServer((request, response) => {
    heads.push(request.headers);
    const type = body.startsWith('{') ? 'application/json' : 'text/event-stream';
    response.writeHead(Number(statuses.shift()), { 'content-type': type });
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}/mcp`, heads };
}
