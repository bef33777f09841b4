import { createHash, randomUUID, webcrypto } from 'node:crypto';
import { alone, statelessHeaders, toolCall } from '../wire/messages.js';
import { sendWhole } from '../wire/requests.js';

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
  const call = toolCall(number, 'quick', { number });
  const message = alone(call, { 'io.modelcontextprotocol/clientInfo': { name, version: '1.0.0' } });
  const headers = {
    ...statelessHeaders(call),
    'x-caller': name,
    authorization: `DPoP ${token}`,
    dpop: `${signed}.${Buffer.from(signature).toString('base64url')}`,
  };
  return async () => {
    const { status, messages } = await sendWhole(url, { method: 'POST', headers, message });
    return { status, result: messages.at(-1)?.result };
  };
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
