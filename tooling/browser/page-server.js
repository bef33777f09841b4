import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from '@tenon/mcp-server';
import { toNodeHandler } from '@tenon/mcp-server/http';

const city = /** @type {const} */ ({
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
});

/** An MCP server for pages of another origin. A test can cut its connections. */
export class PageServer {
  /** Methods of the requests, and the event ids after which streams were resumed. @type {string[]} */
  requests = [];
  #server = createHttpServer();
  /** @type {(() => void) | undefined} */
  #release;

  /** @param {readonly string[]} origins of the pages */
  async listen(origins) {
    const handle = toNodeHandler(this.#definition(), { cors: true, allowedOrigins: origins });
    this.#server.on('request', (request, response) => {
      const resumed = request.headers['last-event-id'] === undefined ? '' : ' resumed';
      this.requests.push(`${request.method}${resumed}`);
      return handle(request, response);
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`;
  }

  /** Breaks every connection, then resumes the tool `cut_off`. */
  cut() {
    this.#server.closeAllConnections();
    this.#release?.();
  }

  async close() {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #definition() {
    return createServer({ name: 'abroad', version: '1.0.0' })
      .tool('hello', {}, () => 'hello')
      .tool('ask', {}, async (_, ctx) => {
        const answer = await ctx.elicit('city', { message: 'Which city?', schema: city });
        return answer.action === 'accept' ? `off to ${answer.content.city}` : answer.action;
      })
      .tool('cut_off', {}, async (_, ctx) => {
        const released = new Promise((resolve) => {
          this.#release = () => resolve(undefined);
        });
        ctx.progress(1, 2);
        await released;
        ctx.progress(2, 2);
        return 'whole';
      });
  }
}
