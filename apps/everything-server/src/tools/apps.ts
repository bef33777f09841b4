import { type AppToolOptions, apps } from '@tenon/mcp-apps/server';
import type { EmptyContract, Server } from '@tenon/mcp-server';

/** A view without a library: the messages of MCP Apps, as the specification shows them. */
const counterPage = `<!doctype html>
<title>Counter</title>
<output>0</output>
<button>Count</button>
<script>
  let id = 0;
  const waiting = new Map();
  const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const request = (method, params) => new Promise((resolve) => {
    waiting.set(++id, resolve);
    post({ id, method, params });
  });
  const output = document.querySelector('output');
  const show = ({ structuredContent }) => { output.textContent = structuredContent?.count ?? output.textContent; };
  addEventListener('message', ({ source, data }) => {
    if (source !== parent) return;
    if (data.method === 'ui/notifications/tool-result') show(data.params);
    else if (data.method === 'ui/resource-teardown') post({ id: data.id, result: {} });
    else waiting.get(data.id)?.(data.result ?? {});
  });
  document.querySelector('button').onclick = async () => show(await request('tools/call', { name: 'test_app_count', arguments: {} }));
  request('ui/initialize', { appInfo: { name: 'counter', version: '1.0.0' }, appCapabilities: {}, protocolVersion: '2026-01-26' })
    .then(() => post({ method: 'ui/notifications/initialized', params: {} }));
</script>
`;

/** The extension MCP Apps with one app. */
export const testApps = apps().app('counter', { html: counterPage, prefersBorder: true });

/** A tool with an app, and a tool that only views may call. */
export function addAppTools(server: Server<EmptyContract, AppToolOptions<'counter'>>): void {
  let count = 0;
  server
    .tool('test_app', { description: 'Shows a counter', ui: 'counter' }, () => counted(count))
    .tool('test_app_count', { description: 'Counts', ui: { app: 'counter', visibility: ['app'] } }, () => {
      count += 1;
      return counted(count);
    });
}

function counted(count: number) {
  return {
    content: [{ type: 'text' as const, text: `The count is ${count}` }],
    structuredContent: { count },
  };
}
