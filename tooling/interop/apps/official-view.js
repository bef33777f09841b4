// A view with the official `App`. It logs everything that it receives, like the view of `tooling/browser/apps`.
import { App, applyDocumentTheme } from '@modelcontextprotocol/ext-apps';

const app = new App(
  { name: 'official', version: '1.0.0' },
  { availableDisplayModes: ['inline', 'fullscreen'] },
  { autoResize: true },
);
const log = (/** @type {any[]} */ ...data) => app.sendLog({ level: 'info', data });
const failed = (/** @type {any} */ error) => `${error.code}`;

app.ontoolinputpartial = ({ arguments: args }) => log('partial', args);
app.ontoolinput = ({ arguments: args }) => log('input', args);
app.ontoolresult = ({ content }) => log('result', content);
app.ontoolcancelled = ({ reason }) => log('cancelled', reason);
app.onhostcontextchanged = ({ theme }) => log('changed', theme);
app.onteardown = async () => {
  await log('teardown');
  return {};
};
await app.connect();
const context = app.getHostContext();
if (context?.theme !== undefined) applyDocumentTheme(context.theme);
await log('ready', app.getHostVersion(), context?.theme, document.documentElement.style.colorScheme);
document.body.style.height = '321px';
const called = await app.callServerTool({ name: 'refresh', arguments: { a: 1 } });
await log('called', called.content, called.structuredContent);
await log('hidden', await app.callServerTool({ name: 'delete', arguments: {} }).catch(failed));
await log('read', (await app.readServerResource({ uri: 'notes://a' })).contents);
await app.openLink({ url: 'https://example.com/' });
await app.sendMessage({ role: 'user', content: [{ type: 'text', text: 'hello' }] });
await app.updateModelContext({ structuredContent: { at: 1 } });
await log('fullscreen', (await app.requestDisplayMode({ mode: 'fullscreen' })).mode);
await log('done');
