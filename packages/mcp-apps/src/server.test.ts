import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Client } from '@tenon/mcp-client';
import { connectMemory } from '@tenon/mcp-client/memory';
import { createServer, type ServerExtension } from '@tenon/mcp-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppOptions } from './server/app-options.js';
import { apps, showsApps } from './server.js';

const html = '<!doctype html><title>Chart</title>';
const info = { name: 'test', version: '1.0.0' };
type ServerWith<E extends ServerExtension> = ReturnType<typeof createServer<readonly [E]>>;

let folder = '';
let closing: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-apps-'));
  closing = [];
});

afterEach(async () => {
  for (const close of closing) await close();
  await rm(folder, { recursive: true, force: true });
});

async function connected<const Extension extends ServerExtension>(
  extension: Extension,
  more: (server: ServerWith<Extension>) => unknown = () => {},
) {
  const errors: string[] = [];
  const onError = (error: unknown) => errors.push(String(error));
  const server = createServer(info, { extensions: [extension], onError });
  more(server);
  const client = (await connectMemory(server, { info })) as unknown as Client;
  closing.push(
    () => client.close(),
    () => server.close(),
  );
  return { client, errors };
}

/** Replaces a file as editors do: readers never see a part of it. */
async function replace(file: string, text: string) {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

/** Changes files until a notification arrives that the app has changed: the server begins to watch at a time of its own. */
async function updateOf(client: Client, change: () => Promise<void>) {
  let updated: string | undefined;
  const watching = await client.watch({ uris: ['ui://chart'] }, (notice) => {
    if (notice.kind === 'resource') updated = notice.uri;
  });
  while (updated === undefined) {
    await change();
    await setImmediate();
  }
  await watching.close();
  expect(updated).toBe('ui://chart');
}

describe('an app', () => {
  it('is a resource with the media type and metadata of MCP Apps', async () => {
    const csp = {
      connectDomains: ['https://api.example.com'],
      resourceDomains: ['https://*.example.com:8443'],
    };
    const extension = apps().app('chart', {
      html,
      title: 'Chart',
      csp,
      permissions: ['camera'],
      prefersBorder: true,
    });
    const { client } = await connected(extension);
    const ui = { csp, permissions: { camera: {} }, prefersBorder: true };
    const mimeType = 'text/html;profile=mcp-app';
    expect(await client.resources().all()).toEqual([
      { uri: 'ui://chart', name: 'chart', title: 'Chart', mimeType, _meta: { ui } },
    ]);
    const { contents } = await client.readResource('ui://chart');
    expect(contents).toEqual([{ uri: 'ui://chart', mimeType, text: html, _meta: { ui } }]);
  });

  it('has no metadata if nothing is declared', async () => {
    const { client } = await connected(apps().app('chart', { html, uri: 'ui://weather/chart' }));
    const { contents } = await client.readResource('ui://weather/chart');
    expect(contents[0]).not.toHaveProperty('_meta');
  });

  it('is declared by the server without settings', async () => {
    const { client } = await connected(apps().app('chart', { html }));
    expect(client.capabilities.extensions).toEqual({ 'io.modelcontextprotocol/ui': {} });
  });

  it('leaves earlier values without the apps that are added later', async () => {
    const first = apps().app('chart', { html });
    first.app('map', { html });
    const { client } = await connected(first);
    expect((await client.resources().all()).map(({ name }) => name)).toEqual(['chart']);
  });

  it('is made by a function for each read', async () => {
    let reads = 0;
    const { client } = await connected(apps().app('chart', { html: () => `${html}${++reads}` }));
    await client.readResource('ui://chart', { fresh: true });
    const { contents } = await client.readResource('ui://chart', { fresh: true });
    expect(contents[0]).toMatchObject({ text: `${html}2` });
  });

  it('is an error when it is read if it is empty or too large', async () => {
    const extension = apps()
      .app('large', { html: 'x'.repeat(4_194_305) })
      .app('empty', { html: () => ' ' });
    const { client, errors } = await connected(extension);
    await expect(client.readResource('ui://large')).rejects.toThrow();
    await expect(client.readResource('ui://empty')).rejects.toThrow();
    expect(errors).toEqual([
      expect.stringContaining('App "large" has 4194305 characters of HTML, more than 4194304'),
      expect.stringContaining('App "empty" has no document'),
    ]);
  });

  it.each<[string, unknown, string]>([
    ['Chart', { html }, 'App name "Chart": use 1 to 64 lower-case letters'],
    ['chart', undefined, 'App "chart" takes an object with options.'],
    ['chart', {}, 'App "chart" needs one of html, file and entry, not none.'],
    ['chart', { html, file: 'x' }, 'not html and file.'],
    ['chart', { html: 1 }, 'App "chart": html must be a text or a function.'],
    ['chart', { file: new URL('https://example.com/x') }, 'file must be a path or a file: URL.'],
    ['chart', { html, mimeType: 'x' }, 'App "chart": there is no option "mimeType".'],
    ['chart', { html, uri: 'https://x' }, 'uri must be a URI that begins with ui://'],
    ['chart', { html, title: 1 }, 'title must be a text.'],
    ['chart', { html, permissions: ['usb'] }, 'permissions must be a list of camera'],
    ['chart', { html, prefersBorder: 'yes' }, 'prefersBorder must be true or false.'],
    [
      'chart',
      { html, csp: { connectDomains: 'https://x.example' } },
      'csp.connectDomains must be a list of origins',
    ],
    ['chart', { html, csp: { connect: [] } }, 'has no member "connect"'],
  ])('is refused as %j with the options %j', (name, options, message) => {
    expect(() => apps().app(name, options as AppOptions)).toThrow(message);
  });

  it.each([
    "https://a.example; script-src 'unsafe-eval'",
    'https://a.example https://b.example',
    'https://a.example\n',
    'https://a.example\thttps://b.example',
    'https://a.example,https://b.example',
    "'unsafe-eval'",
    "'self'",
    'https:',
    '*',
    'https://*',
    'https://*.com',
    'data:',
    'blob:',
    'javascript:alert(1)',
    'https://user@a.example',
    'https://a.example/path',
    'https://a.example?x',
    'https://a.example"',
    'https://a.example:port',
    `https://${'a'.repeat(300)}.example`,
    '',
    7,
  ])('is refused with %j as an origin', (origin) => {
    for (const name of ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains']) {
      const options = { html, csp: { [name]: [origin] } } as AppOptions;
      expect(() => apps().app('chart', options)).toThrow(`csp.${name}[0] must be an origin`);
    }
  });

  it('is refused with too many origins, and with a name that is taken', () => {
    const connectDomains = Array.from({ length: 65 }, (_, index) => `https://a${index}.example`);
    expect(() => apps().app('chart', { html, csp: { connectDomains } })).toThrow('has more than 64 origins');
    expect(() => apps().app('chart', { html }).app('chart', { html })).toThrow(
      'already an app named "chart"',
    );
  });
});

describe('the options of apps()', () => {
  it.each([
    [{ watch: 1 }, 'apps(): watch must be true or false.'],
    [{ vite: [] }, 'apps(): vite must be an object.'],
    [{ reload: true }, 'apps(): there is no option "reload".'],
  ])('reject %j', (options, message) => {
    expect(() => apps(options as never)).toThrow(message);
  });
});

describe('the option "ui" of a tool', () => {
  const extension = apps().app('chart', { html });

  it('is metadata of the tool, also in the deprecated key', async () => {
    const { client } = await connected(extension, (server) =>
      server
        .tool('draw', { ui: 'chart' }, () => 'drawn')
        .tool('redraw', { ui: { app: 'chart', visibility: ['app'] } }, () => 'drawn')
        .tool('refresh', { ui: { visibility: ['app'] } }, () => 'fresh')
        .tool('plain', {}, () => 'plain'),
    );
    const tools = await client.tools().all();
    expect(tools.map(({ _meta }) => _meta)).toEqual([
      { ui: { resourceUri: 'ui://chart' }, 'ui/resourceUri': 'ui://chart' },
      { ui: { resourceUri: 'ui://chart', visibility: ['app'] }, 'ui/resourceUri': 'ui://chart' },
      { ui: { visibility: ['app'] } },
      undefined,
    ]);
  });

  it.each([
    ['map', 'names no app of the extension: "map" is not one of chart'],
    [{}, 'needs "app" or "visibility"'],
    [7, 'must be the name of an app, or an object'],
    [{ app: 'map' }, 'names no app of the extension'],
    [{ app: 'chart', visible: true }, 'has no member "visible"'],
    [{ visibility: [] }, '.visibility must be a list of "model" and "app"'],
    [{ visibility: ['user'] }, '.visibility must be a list'],
  ])('is refused as %j', (ui, message) => {
    const server = createServer(info, { extensions: [extension] });
    expect(() => server.tool('draw', { ui } as never, () => 'drawn')).toThrow(message);
  });

  it('leaves the text of structured results to clients without the extension', async () => {
    const { client } = await connected(extension, (server) =>
      server.tool('count', { ui: 'chart' }, (_, ctx) => ({
        content: [],
        structuredContent: { count: 2, ui: showsApps(ctx) },
      })),
    );
    const { content } = await client.callTool('count');
    expect(content).toEqual([{ type: 'text', text: '{"count":2,"ui":false}' }]);
  });
});

describe('an app from a file', () => {
  it('is read once if files are not watched', async () => {
    const file = join(folder, 'chart.html');
    await writeFile(file, html);
    const { client } = await connected(apps({ watch: false }).app('chart', { file: pathToFileURL(file) }));
    await client.readResource('ui://chart', { fresh: true });
    await writeFile(file, 'changed');
    const { contents } = await client.readResource('ui://chart', { fresh: true });
    expect(contents[0]).toMatchObject({ text: html });
  });

  it('is an error while it is missing', async () => {
    const file = join(folder, 'chart.html');
    const { client, errors } = await connected(apps().app('chart', { file }));
    await expect(client.readResource('ui://chart')).rejects.toThrow();
    expect(errors).toEqual([expect.stringContaining('no such file')]);
    await writeFile(file, html);
    expect((await client.readResource('ui://chart')).contents[0]).toMatchObject({ text: html });
  });

  it('is read again when it is replaced, and its subscribers are notified', async () => {
    const file = join(folder, 'chart.html');
    await writeFile(file, html);
    const { client } = await connected(apps({ watch: true }).app('chart', { file }));
    await updateOf(client, () => replace(file, 'changed'));
    const { contents } = await client.readResource('ui://chart', { fresh: true });
    expect(contents[0]).toMatchObject({ text: 'changed' });
  });
});

describe('an app from an entry', () => {
  it('is one document with scripts and styles', async () => {
    const entry = join(folder, 'chart.ts');
    await writeFile(
      entry,
      "import './chart.css';\nimport { text } from './text';\ndocument.title = text satisfies string;\n",
    );
    await writeFile(join(folder, 'text.ts'), "export const text = '</script><!--' + 'x';\n");
    await writeFile(join(folder, 'chart.css'), '.chart { color: red }');
    const { client } = await connected(apps({ watch: false }).app('chart', { entry }));
    const { contents } = await client.readResource('ui://chart');
    const text = String(contents[0] && 'text' in contents[0] && contents[0].text);
    expect(text).toMatch(/^<!doctype html><html><head><meta charset="utf-8"><style>\.chart/);
    expect(text).toMatch(/document\.title=/);
    expect(text.match(/<\/script/g)).toHaveLength(1);
    expect(text).not.toContain('<!--');
  }, 60_000);

  it('is built from a page', async () => {
    const entry = join(folder, 'chart.html');
    await writeFile(
      entry,
      '<!doctype html><html><head></head><body><script type="module" src="./a.ts"></script></body></html>',
    );
    await writeFile(join(folder, 'a.ts'), "document.title = '$& ' as string;");
    const { client } = await connected(apps({ watch: false }).app('chart', { entry }));
    const { contents } = await client.readResource('ui://chart');
    expect(contents[0]).toMatchObject({
      text: expect.stringMatching(/<script type="module">[^<]*document\.title=.\$& /),
    });
    expect(contents[0]).not.toMatchObject({ text: expect.stringContaining('src=') });
  }, 60_000);

  it('reports why a build failed, and builds again when a file changes', async () => {
    const entry = join(folder, 'chart.ts');
    await writeFile(entry, 'const = 1;');
    const { client, errors } = await connected(apps({ watch: true }).app('chart', { entry }));
    await expect(client.readResource('ui://chart')).rejects.toThrow();
    expect(errors.join()).toContain('chart.ts');
    await updateOf(client, () => replace(entry, "document.title = 'fixed';"));
    const { contents } = await client.readResource('ui://chart', { fresh: true });
    expect(contents[0]).toMatchObject({ text: expect.stringContaining('fixed') });
  }, 60_000);
});
