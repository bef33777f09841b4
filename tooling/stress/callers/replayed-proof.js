import { createHash, randomUUID, webcrypto } from 'node:crypto';

const revision = '2026-07-28';
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** The key of all callers of this process. @type {Promise<Key> | undefined} */
let ownKey;

/**
 * @typedef {object} Key
 * @property {import('node:crypto').webcrypto.CryptoKey} privateKey
 * @property {object} jwk the public key
 * @property {string} thumbprint
 */

/**
 * The answers to one proof: the number of each status.
 *
 * @typedef {{ number: number, accepted: number, refused: number, others: number[], result: any }} Presented
 */

/**
 * Makes one call with a DPoP proof, and sends the same request again to each node.
 * https://www.rfc-editor.org/rfc/rfc9449#section-11.1
 *
 * @param {{ url: string, name: string, principal: string, number: number }} call
 * @param {{ copies: number, together: boolean }} replay the requests in all; `together` sends them at the same time
 * @returns {Promise<Presented>}
 */
export async function presentProof(call, { copies, together }) {
  const send = await signedRequest(call);
  const requests = Array.from({ length: copies }, () => send);
  /** @type {Awaited<ReturnType<typeof send>>[]} */
  const answers = together ? await Promise.all(requests.map((request) => request())) : [];
  if (!together) for (const request of requests) answers.push(await request());
  const accepted = answers.filter(({ status }) => status === 200);
  return {
    number: call.number,
    accepted: accepted.length,
    refused: answers.filter(({ status }) => status === 401).length,
    others: answers.flatMap(({ status }) => (status === 200 || status === 401 ? [] : [status])),
    result: accepted[0]?.result,
  };
}

/** @param {{ url: string, name: string, principal: string, number: number }} call */
async function signedRequest({ url, name, principal, number }) {
  ownKey ??= createKey();
  const { privateKey, jwk, thumbprint } = await ownKey;
  const token = `${principal}.${thumbprint}`;
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk };
  const ath = createHash('sha256').update(token).digest('base64url');
  const iat = Math.floor(Date.now() / 1_000);
  const claims = { jti: randomUUID(), htm: 'POST', htu: url, iat, ath };
  const signed = `${encoded(header)}.${encoded(claims)}`;
  const signature = await webcrypto.subtle.sign(algorithm, privateKey, Buffer.from(signed));
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name, version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'quick', arguments: { number }, _meta };
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': 'tools/call',
      'mcp-name': 'quick',
      'x-caller': name,
      authorization: `DPoP ${token}`,
      dpop: `${signed}.${Buffer.from(signature).toString('base64url')}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: number, method: 'tools/call', params }),
  };
  return async () => {
    const answer = await fetch(url, request);
    return { status: answer.status, result: resultIn(await answer.text()) };
  };
}

/**
 * Returns the result in a response: a JSON body, or an event stream with the answer as its last event.
 *
 * @param {string} body
 */
export function resultIn(body) {
  const frames = body.startsWith('{')
    ? [body]
    : [...body.matchAll(/^data: (\{.*)$/gm)].map(([, frame]) => frame);
  const last = frames.at(-1);
  return last === undefined ? undefined : JSON.parse(last).result;
}

/** @returns {Promise<Key>} */
async function createKey() {
  const { privateKey, publicKey } = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const { kty, crv, x, y } = await webcrypto.subtle.exportKey('jwk', publicKey);
  // https://www.rfc-editor.org/rfc/rfc7638#section-3: the members in this order.
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return { privateKey, jwk: { kty, crv, x, y }, thumbprint };
}

/** @param {object} part */
function encoded(part) {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
