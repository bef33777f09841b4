import { createServer } from '@tenon/mcp-server';
import { apps } from './server.js';

const extension = apps().app('chart', { html: '' }).app('map', { html: '' });
const server = createServer({ name: 'types', version: '1.0.0' }, { extensions: [extension] });

server
  .tool('draw', { ui: 'chart' }, () => 'drawn')
  .tool('show', { ui: { app: 'map', visibility: ['model', 'app'] } }, () => 'shown')
  .tool('refresh', { ui: { visibility: ['app'] } }, () => 'fresh');

// @ts-expect-error There is no app of that name.
server.tool('other', { ui: 'table' }, () => 'other');

// @ts-expect-error There is no such caller.
server.tool('other', { ui: { visibility: ['user'] } }, () => 'other');

const none = createServer({ name: 'types', version: '1.0.0' }, { extensions: [apps()] });
// @ts-expect-error An extension without apps has no names.
none.tool('draw', { ui: 'chart' }, () => 'drawn');

// @ts-expect-error The option exists only in a server with the extension.
createServer({ name: 'types', version: '1.0.0' }).tool('draw', { ui: 'chart' }, () => 'drawn');
