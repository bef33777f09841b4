// A page that uses a server of another origin. Tests call its functions by name, in Chromium and in Node.
import { connect } from '@tenon/mcp-client';

/** @typedef {{ readonly text: string, readonly revision: string, readonly progress: number[] }} Called */

/**
 * Connects, calls one tool, and closes.
 *
 * @param {string} url of the server
 * @param {{ revision: string, tool: string, onProgress?: string }} call `onProgress` is an address that gets a POST at each step
 * @returns {Promise<Called>}
 */
async function call(url, { revision, tool, onProgress }) {
  const client = await connect(url, {
    info: { name: 'page', version: '1.0.0' },
    revisions: [revision],
    onElicit: ({ message }) => ({
      action: 'accept',
      content: { city: message.includes('city') ? 'Oslo' : '' },
    }),
  });
  /** @type {number[]} */
  const progress = [];
  try {
    const { content } = await client.callTool(
      tool,
      {},
      {
        onProgress({ progress: step }) {
          progress.push(step);
          if (onProgress !== undefined) fetch(onProgress, { method: 'POST' }).catch(console.error);
        },
      },
    );
    return { text: JSON.stringify(content), revision: String(client.revision), progress };
  } finally {
    await client.close();
  }
}

/** @returns {Promise<string>} the error text of a target that needs Node */
async function start() {
  try {
    await connect({ command: 'node' }, { info: { name: 'page', version: '1.0.0' } });
  } catch (error) {
    return String(error);
  }
  return 'started';
}

Object.assign(globalThis, { page: { call, start } });
