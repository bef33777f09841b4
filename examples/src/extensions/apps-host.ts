/// <reference lib="dom" />
// A page that calls a tool and shows its interface.
import { apps, createAppServer, readApp, toolsFor, toolUi } from '@tenon/mcp-apps/client';
import { openApp } from '@tenon/mcp-apps/host';
import { connect } from '@tenon/mcp-client';

const info = { name: 'chat', version: '1.0.0' };
const client = await connect(new URL('/mcp', location.href).href, { info, extensions: [apps()] });

const tools = toolsFor('model', client);
const tool = (await tools.list()).find(({ name }) => name === 'forecast');
const { uri } = toolUi(tool ?? {});
if (uri === undefined) throw new Error('The tool has no interface: show its result as text.');

const view = await openApp(document.body, {
  app: await readApp(client, uri),
  // The page of apps-sandbox.ts, on another origin: <body data-sandbox="https://sandbox.example/">
  sandbox: document.body.dataset.sandbox ?? '',
  server: createAppServer(client),
  info,
  context: { theme: 'dark', locale: navigator.language },
  onOpenLink: (url) => confirm(`Open ${url}?`) && open(url, '_blank', 'noopener') !== null,
  onRequest: (method) => console.info('view:', method),
});
const input = { city: 'Oslo' };
await view.show(input, tools.call('forecast', input));
