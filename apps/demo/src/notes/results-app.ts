import { apps } from '@tenon/mcp-apps/server';

/** The page that shows what a search has found. */
const results = `<!doctype html>
<title>Search results</title>
<ul></ul>
<script>
  const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  addEventListener('message', ({ source, data }) => {
    if (source !== parent) return;
    if (data.id === 1) post({ method: 'ui/notifications/initialized', params: {} });
    if (data.method === 'ui/resource-teardown') post({ id: data.id, result: {} });
    if (data.method !== 'ui/notifications/tool-result') return;
    for (const { note, line, text } of data.params.structuredContent.matches) {
      const item = document.createElement('li');
      item.textContent = note + ':' + line + ' ' + text;
      document.querySelector('ul').append(item);
    }
  });
  const params = { appInfo: { name: 'results', version: '1.0.0' }, appCapabilities: {}, protocolVersion: '2026-01-26' };
  post({ id: 1, method: 'ui/initialize', params });
</script>
`;

/** The extension MCP Apps of the notes server. */
export const noteApps = apps().app('results', { html: results, title: 'Search results' });
