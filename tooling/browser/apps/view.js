/// <reference lib="dom" />
// A view that is made with `@tenon/mcp-apps/view`. It logs everything that it receives.
import { openView } from '@tenon/mcp-apps/view';

/** @type {import('@tenon/mcp-apps/view').View | undefined} */
let view;
const log = (/** @type {any[]} */ ...data) => view?.log('info', data);

view = await openView({
  info: { name: 'view', version: '1.0.0' },
  displayModes: ['inline', 'fullscreen'],
  onPartialInput: (args) => log('partial', args),
  onInput: (args) => log('input', args),
  onResult: (result) => log('result', result),
  onCancelled: (reason) => log('cancelled', reason),
  onContext: ({ theme, displayMode }) => log('changed', theme, displayMode),
  onTeardown: () => log('teardown'),
});
const { colorScheme } = document.documentElement.style;
const accent = document.documentElement.style.getPropertyValue('--color-text-info');
log('ready', { host: view.host, capabilities: view.capabilities, colorScheme, accent });
document.body.style.height = '321px';
document.body.style.margin = '0';
const failed = (/** @type {unknown} */ error) => String(error);
log('called', await view.callTool('refresh', { a: 1 }));
log('hidden', await view.callTool('delete').catch(failed));
log('read', await view.readResource('notes://a'));
await view.openLink('https://example.com/');
log('javascript', await view.openLink('javascript:alert(1)').catch(failed));
await view.sendMessage('hello');
await view.updateModelContext({ structuredContent: { at: 1 } });
log('fullscreen', await view.requestDisplayMode('fullscreen'));
log('pip', await view.requestDisplayMode('pip'));
log('done');
