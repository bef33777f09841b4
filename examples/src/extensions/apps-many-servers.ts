// A page of a host with many servers: each app reaches its own server, behind the policy, the consent and the audit log of the host.
import { apps, readApp, toolUi } from '@tenon/mcp-apps/client';
import { openApp } from '@tenon/mcp-apps/host';
import { createHost, memoryAudit, printableText, rules } from '@tenon/mcp-host';
import { type ModelMessage, toModelContent } from '@tenon/mcp-host/models';

const info = { name: 'chat', version: '1.0.0' };
const audit = memoryAudit();
const host = createHost({
  info,
  servers: { weather: new URL('/mcp', location.href).href },
  extensions: [apps()],
  policy: rules([{ kind: 'resource', name: 'ui://*', decision: 'allow' }]),
  consent: ({ request: { origin, server, kind, name, ...request } }) => {
    const inputs = 'args' in request ? JSON.stringify(request.args) : '';
    const by = origin.way === 'app' ? 'The app' : 'The chat';
    return confirm(printableText(`${by} of ${server} wants: ${kind} ${name} ${inputs}`)) ? 'once' : 'no';
  },
  audit,
});

const found = (await host.tools()).find(({ tool }) => toolUi(tool).uri !== undefined);
if (found === undefined) throw new Error('No tool has an interface.');

// For the next message to the model, by app.
const contexts = new Map<string, ModelMessage['content']>();
const server = host.appServer(found.server);
const view = await openApp(document.body, {
  app: await readApp(server, toolUi(found.tool).uri ?? ''),
  // The page of apps-sandbox.ts, on another origin: <body data-sandbox="https://sandbox.example/">
  sandbox: document.body.dataset.sandbox ?? '',
  server,
  info,
  onOpenLink: (url) => confirm(`Open ${url}?`) && open(url, '_blank', 'noopener') !== null,
  // A model reads characters that a user does not see: these are left out here.
  onModelContext: ({ content = [], ...more }) => {
    contexts.set(found.name, toModelContent({ content, ...more }, { for: 'anthropic' }).content);
  },
});
const input = { city: 'Oslo' };
await view.show(input, host.callTool(found.name, input));
