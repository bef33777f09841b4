/// <reference lib="dom" />
// The page of a host. Tests call its functions by name.
import { otherBounds } from '@tenon/foundation';
import { openApp } from '@tenon/mcp-apps/host';
import { events, happened, until } from './events.js';

/**
 * @typedef {object} Scene
 * @property {string} sandbox URL of the sandbox page
 * @property {string} html
 * @property {import('@tenon/mcp-apps/host').AppCsp} [csp]
 * @property {import('@tenon/mcp-apps/host').AppPermission[]} [permissions] of the app
 * @property {import('@tenon/mcp-apps/host').AppPermission[]} [granted] by the host
 * @property {import('@tenon/mcp-apps/host').HostContext} [context]
 * @property {Readonly<Record<string, number>>} [bounds]
 */

/** @type {import('@tenon/mcp-apps/host').OpenApp | undefined} */
let view;

/** @type {ReadonlyMap<string, { _meta?: { ui: object } }>} */
const tools = new Map([
  ['draw', {}],
  ['refresh', { _meta: { ui: { visibility: ['app'] } } }],
  ['delete', { _meta: { ui: { visibility: ['model'] } } }],
]);

/** @type {import('@tenon/mcp-apps/host').AppServer} */
const server = {
  tool: async (name) => tools.get(name),
  async callTool(name, args, { signal }) {
    happened('call', name, args);
    if (name === 'draw' && args.forever === true)
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          happened('aborted');
          reject(signal.reason);
        });
      });
    return {
      content: [{ type: 'text', text: `${name} ${JSON.stringify(args)}` }],
      structuredContent: { n: 1 },
    };
  },
  readResource: async (uri) => ({ contents: [{ uri, text: 'read' }] }),
};

/** @param {Scene} scene */
function options({ sandbox, html, csp = {}, permissions = [], granted = [], context = {}, bounds = {} }) {
  const app = { uri: 'ui://test', html, csp, permissions, domain: undefined, prefersBorder: undefined };
  return /** @type {import('@tenon/mcp-apps/host').AppHostOptions} */ ({
    app,
    sandbox,
    server,
    context,
    permissions: granted,
    ...otherBounds(bounds),
    info: { name: 'page', version: '1.0.0' },
    onOpenLink: (url) => happened('link', url.href),
    onMessage: ({ content }) => happened('message', content),
    onModelContext: (given) => happened('context', given),
    onDisplayMode: (mode) => {
      happened('mode', mode);
      return mode;
    },
    onLog: ({ data }) => {
      if (Array.isArray(data)) happened(data[0], ...data.slice(1));
      else happened('log', data);
    },
    onSize: (size) => happened('size', size),
    onClosed: (reason) => happened('closed', reason),
    onError: (error) => happened('error', String(error)),
  });
}

/** @param {Scene} scene */
async function open(scene) {
  try {
    view = await openApp(document.body, options(scene));
    return 'open';
  } catch (error) {
    return String(error);
  }
}

Object.assign(globalThis, { host: { open, until, events, view: () => view } });
