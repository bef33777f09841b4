import { once } from 'node:events';
import { createServer } from 'node:http';
import { askedOf, startAuthority } from './authority.js';

/** @typedef {{ issuer: string, asked: ReturnType<typeof askedOf> }} AuthorityPage */

/**
 * Starts an authorization server for several processes, and a page on which they read its issuer and the number of token requests.
 *
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function startAuthorityPage() {
  const authority = await startAuthority();
  const server = createServer((_, response) => {
    response.end(JSON.stringify({ issuer: authority.issuer, asked: askedOf(authority) }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await authority.close();
    },
  };
}

/**
 * @param {string} url
 * @returns {Promise<AuthorityPage>}
 */
export async function readAuthorityPage(url) {
  return /** @type {any} */ (await (await fetch(url)).json());
}
