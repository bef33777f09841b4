// `pnpm interop:apps`: views and hosts of @tenon/mcp-apps with those of the official @modelcontextprotocol/ext-apps, in headless Chromium.
import { isDeepStrictEqual } from 'node:util';
import { getUiCapability, RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/server';
import { appMimeType, apps, extensionId } from '@tenon/mcp-apps/client';
import { bundled, documentOf, Stage } from '@tenon/tool-browser/apps/stage.js';
import { openPage, startChromium } from '@tenon/tool-browser/chromium.js';

/** @typedef {{ host: string, view: string }} Pair */

/** Checks that a complete run makes. */
const fewest = 40;
const patience = 60_000;

const hosts = {
  Tenon: new URL(import.meta.resolve('@tenon/tool-browser/apps/host-page.js')),
  official: new URL('official-host.js', import.meta.url),
};
const views = {
  Tenon: new URL(import.meta.resolve('@tenon/tool-browser/apps/view.js')),
  official: new URL('official-view.js', import.meta.url),
};

let checked = 0;
let wrong = 0;

/**
 * @param {string} what
 * @param {unknown} actual
 * @param {unknown} expected
 */
function check(what, actual, expected) {
  checked += 1;
  const isRight = isDeepStrictEqual(actual, expected);
  if (!isRight) wrong += 1;
  console.log(
    `${isRight ? 'ok ' : 'RED'} ${what}${isRight ? '' : `: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`}`,
  );
}

/**
 * Shows a view in a host, and checks everything that each receives from the other.
 *
 * @param {import('playwright-core').Browser} chromium
 * @param {Pair & { hostScript: string, viewScript: string }} pair
 */
async function play(chromium, { host, view, hostScript, viewScript }) {
  const stage = new Stage();
  await stage.open(hostScript);
  const page = await openPage(chromium);
  /**
   * @param {string} expression
   * @returns {Promise<any>}
   */
  const evaluate = (expression) => page.evaluate(expression);
  /** @param {string} name */
  const until = (name, times = 1) => evaluate(`host.until(${JSON.stringify(name)}, ${times})`);
  const name = `${view} view in ${host} host:`;
  try {
    await page.goto(stage.host);
    const context = { theme: 'dark', displayMode: 'inline', availableDisplayModes: ['inline', 'fullscreen'] };
    const scene = { sandbox: `${stage.sandbox}/`, html: documentOf(viewScript), context };
    check(`${name} opens`, await evaluate(`host.open(${JSON.stringify(scene)})`), 'open');
    await until('done');
    check(`${name} theme`, JSON.stringify(await until('ready')).includes('"dark"'), true);
    check(`${name} tool call`, await until('call'), ['refresh', { a: 1 }]);
    check(`${name} result of the call`, JSON.stringify(await until('called')).includes('{"n":1}'), true);
    check(
      `${name} hidden tool`,
      /-32602|-32603|Unknown tool|hidden/.test(String(await until('hidden'))),
      true,
    );
    check(`${name} resource`, JSON.stringify(await until('read')).includes('"text":"read"'), true);
    check(`${name} link`, await until('link'), ['https://example.com/']);
    check(`${name} message`, await until('message'), [[{ type: 'text', text: 'hello' }]]);
    check(`${name} model context`, JSON.stringify(await until('context')).includes('"at":1'), true);
    check(`${name} display mode`, await until('fullscreen'), ['fullscreen']);
    check(`${name} size`, JSON.stringify(await until('size')).includes('"height"'), true);
    await evaluate(
      '(async () => { await host.view().partialInput({ a: 0 }); await host.view().input({ a: 1 }); })()',
    );
    check(`${name} partial input`, await until('partial'), [{ a: 0 }]);
    check(`${name} input`, await until('input'), [{ a: 1 }]);
    await evaluate("(async () => host.view().result({ content: [{ type: 'text', text: 'done' }] }))()");
    check(`${name} result`, JSON.stringify(await until('result')).includes('"text":"done"'), true);
    await evaluate("(async () => host.view().cancelled('stopped'))()");
    check(`${name} cancelled`, await until('cancelled'), ['stopped']);
    await evaluate("(async () => host.view().update({ theme: 'light' }))()");
    // Tenon's host also announces the display mode that it changed before.
    const changed = await until('changed', host === 'Tenon' ? 2 : 1);
    check(`${name} context`, changed[0], 'light');
    await evaluate('(async () => { await host.view().close(); })()');
    check(`${name} teardown`, await until('teardown'), []);
  } finally {
    await stage.close();
  }
}

async function main() {
  const { settings } = apps();
  const capabilities = { extensions: { [extensionId]: /** @type {any} */ (settings) } };
  check('media type', appMimeType, RESOURCE_MIME_TYPE);
  check('capability', getUiCapability(capabilities)?.mimeTypes, [RESOURCE_MIME_TYPE]);
  const chromium = await startChromium();
  try {
    for (const [host, hostUrl] of Object.entries(hosts)) {
      for (const [view, viewUrl] of Object.entries(views)) {
        const [hostScript, viewScript] = await Promise.all([bundled(hostUrl), bundled(viewUrl)]);
        await play(chromium, { host, view, hostScript, viewScript });
      }
    }
  } finally {
    await chromium.close();
  }
  console.log(`\ninterop of apps: ${checked} checked, ${wrong} RED`);
  if (wrong > 0 || checked < fewest) process.exitCode = 1;
}

const late = setTimeout(() => {
  console.error('interop of apps: no end within 60 s');
  process.exit(1);
}, patience);
await main();
clearTimeout(late);
