// A client over HTTP with fresh tokens, and lists of revisions to speak.
import { connect } from '@tenon/mcp-client';
import { httpTarget } from '@tenon/mcp-client/http';
import { serveHttp } from '@tenon/mcp-server/http';
import { server } from '../http/notes.js';

const serving = await serveHttp(server, { port: 0 });
const { url } = serving;
const info = { name: 'my-agent', version: '1.0.0' };
const tokens = { fresh: async () => 'token-of-ada' };

// #region url
const client = await connect<typeof server>(url, {
  info,
  headers: async () => ({ authorization: `Bearer ${await tokens.fresh()}` }), // called before each HTTP request
  onStateChange: ({ state, reason }) => console.log('state:', state, reason ?? ''),
});
const { content } = await client.callTool('save_note', { name: 'milk', text: 'Buy milk' });
console.log(client.revision, content);
await client.close();
// #endregion

const pinned = await connect(url, { info, revision: '2025-11-25' }); // this revision alone, and no probe
console.log(pinned.revision, (await pinned.readResource('note://milk')).contents.length);
await pinned.close();

const target = httpTarget(url, { fetch, limits: { maxAnswerBytes: 1 << 20 } }); // every setting of the transport
const bounded = await connect(target, { info });
console.log(bounded.server?.name, (await bounded.tools().all()).length);
await bounded.close();

await serving.close();
