// The page of a host with the official `AppBridge`, and the functions of the page in `tooling/browser/apps`.
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
import { events, happened, until } from '@tenon/tool-browser/apps/events.js';

/** @type {AppBridge} */
let bridge;

/** @param {{ sandbox: string, html: string, csp?: object, context?: object }} scene */
async function open({ sandbox, html, csp = {}, context = {} }) {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
  bridge = new AppBridge(
    null,
    { name: 'official', version: '1.0.0' },
    {
      openLinks: {},
      serverTools: {},
      serverResources: {},
      logging: {},
      message: { text: {} },
      updateModelContext: {},
    },
    { hostContext: context },
  );
  const ready = new Promise((resolve) => {
    bridge.onsandboxready = resolve;
  });
  const initialized = new Promise((resolve) => {
    bridge.oninitialized = resolve;
  });
  handle();
  document.body.append(frame);
  const { contentWindow } = frame;
  if (contentWindow === null) throw new Error('The frame has no window.');
  await bridge.connect(new PostMessageTransport(contentWindow, contentWindow));
  frame.src = sandbox;
  await ready;
  await bridge.sendSandboxResourceReady({ html, csp });
  await initialized;
  return 'open';
}

function handle() {
  bridge.oncalltool = async ({ name, arguments: args }) => {
    if (name === 'delete') throw new Error('This tool is hidden.');
    happened('call', name, args);
    return { content: [{ type: 'text', text: name }], structuredContent: { n: 1 } };
  };
  bridge.onreadresource = async ({ uri }) => ({ contents: [{ uri, text: 'read' }] });
  bridge.onopenlink = async ({ url }) => {
    if (!url.startsWith('https:')) throw new Error('Only https.');
    happened('link', url);
    return {};
  };
  bridge.onmessage = async ({ content }) => {
    happened('message', content);
    return {};
  };
  bridge.onupdatemodelcontext = async (context) => {
    happened('context', context.structuredContent);
    return {};
  };
  bridge.onrequestdisplaymode = async ({ mode }) => {
    happened('mode', mode);
    return { mode };
  };
  bridge.onloggingmessage = ({ data }) => {
    if (Array.isArray(data)) happened(data[0], ...data.slice(1));
  };
  bridge.onsizechange = (size) => happened('size', size);
}

const view = {
  partialInput: (/** @type {any} */ args) => bridge.sendToolInputPartial({ arguments: args }),
  input: (/** @type {any} */ args) => bridge.sendToolInput({ arguments: args }),
  result: (/** @type {any} */ result) => bridge.sendToolResult(result),
  cancelled: (/** @type {string} */ reason) => bridge.sendToolCancelled({ reason }),
  update: (/** @type {any} */ context) => bridge.sendHostContextChange(context),
  close: () => bridge.teardownResource({}),
};

Object.assign(globalThis, { host: { open, until, events, view: () => view } });
