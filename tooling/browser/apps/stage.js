// The servers of the tests of apps: the page of a host, the sandbox on another origin, and an origin that no view may reach.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { sandboxPage } from '@tenon/mcp-apps/host';
import * as esbuild from 'esbuild';

/**
 * Bundles a script.
 *
 * @param {URL} script
 * @returns {Promise<string>}
 */
export async function bundled(script) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [fileURLToPath(script)],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  });
  return String(outputFiles[0]?.text);
}

/**
 * Returns a document with a module in it.
 *
 * @param {string} script
 */
export function documentOf(script) {
  return `<!doctype html><html><body><script type="module">${script.replaceAll('</script', '<\\/script')}</script></body></html>`;
}

/** Three origins. */
export class Stage {
  /** Paths that were requested from the origin that no view may reach. @type {string[]} */
  reached = [];
  /** Paths of the sandbox page that were requested. @type {string[]} */
  sandboxes = [];
  host = '';
  sandbox = '';
  outside = '';
  /** The sandbox page without its headers, as a server that is set up badly serves it. */
  bare = '';
  /** @type {import('node:http').Server[]} */
  #servers = [];

  /** @param {string} page the script of the host's page */
  async open(page) {
    this.outside = await this.#serve(({ url = '' }, response) => {
      if (url !== '/favicon.ico') this.reached.push(url);
      response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' });
      response.end(
        '<script>parent.postMessage({ jsonrpc: "2.0", id: 99, method: "tools/call", params: { name: "refresh" } }, "*")</script>',
      );
    });
    this.host = await this.#serve((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(documentOf(page)),
    );
    const hosts = [this.host];
    const { html } = sandboxPage({ hosts });
    this.sandbox = await this.#serve(({ url = '' }, response) => {
      if (url !== '/favicon.ico') this.sandboxes.push(url);
      response.writeHead(200, sandboxPage({ hosts }, url).headers).end(html);
    });
    this.bare = await this.#serve((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(html),
    );
  }

  async close() {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  }

  /**
   * @param {import('node:http').RequestListener} listener
   * @returns {Promise<string>} the origin
   */
  async #serve(listener) {
    const server = createServer(listener);
    this.#servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  }
}
