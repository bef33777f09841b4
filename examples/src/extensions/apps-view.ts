/// <reference lib="dom" />
// The script of a view: it draws the result of a tool, and calls another one.
import { openView } from '@tenon/mcp-apps/view';
import type { server } from './apps-server.js';

const list = document.body.appendChild(document.createElement('ul'));
const button = document.body.appendChild(document.createElement('button'));
button.textContent = 'Refresh';
let city = '';

function draw(degrees: readonly number[]) {
  list.replaceChildren(
    ...degrees.map((one) => Object.assign(document.createElement('li'), { textContent: `${one}°` })),
  );
}

const view = await openView<typeof server, 'forecast'>({
  info: { name: 'forecast', version: '1.0.0' },
  onInput: (input) => {
    city = input.city;
  },
  onResult: ({ structuredContent }) => draw(structuredContent?.degrees ?? []),
});
button.onclick = async () =>
  draw((await view.callTool('refresh', { city })).structuredContent?.degrees ?? []);
