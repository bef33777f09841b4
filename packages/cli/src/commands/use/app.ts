import { resolve } from 'node:path';
import { type AppResource, apps, readApp, toolUi } from '@tenon/mcp-apps/client';
import type { Tool } from '@tenon/mcp-client';
import { type Catalog, readCatalog, type ServerClient, WorkbenchError } from '@tenon/mcp-workbench';
import { toolNamed } from '@tenon/mcp-workbench/calls';
import { writeNewFile } from '../../files/files.js';
import { requireNoMore } from '../../server/chosen-server.js';
import type { ServerOptions } from '../../server/server-options.js';
import { type ServerLine, withClient } from '../../server/with-client.js';
import type { Terminal } from '../../terminal/terminal.js';
import { printFacts } from '../../terminal/texts.js';

/** Options of `tenon app`. */
interface AppOptions extends ServerOptions {
  readonly output?: string;
}

type AppLine = ServerLine<AppOptions>;

/**
 * Prints the app of a tool, or the tools that have one. The client declares that it shows apps, because some servers list their
 * apps only then.
 */
export async function runApp(line: AppLine): Promise<void> {
  await withClient(
    { ...line, open: { extensions: [apps()] } },
    async ({ client, words: [tool, ...more] }) => {
      requireNoMore(more, 'tool');
      const catalog = await readCatalog(client, { signal: line.signal });
      if (tool === undefined) listApps(catalog.tools, line);
      else await printApp(toolNamed(tool, catalog.tools), { client, catalog, line });
    },
  );
}

function listApps(tools: readonly Tool[], { terminal, options }: AppLine): void {
  const found = tools.flatMap((tool) => {
    const { uri, visibility } = toolUi(tool);
    return uri === undefined ? [] : [{ tool: tool.name, uri, visibility }];
  });
  if (found.length === 0) throw new WorkbenchError('no-app', 'No tool of the server has an app.');
  if (options.json) {
    terminal.printJson(found);
    return;
  }
  const width = Math.max(...found.map(({ tool }) => tool.length));
  for (const { tool, uri, visibility } of found)
    terminal.print(`${tool.padEnd(width)}  ${uri}  for ${visibility.join(' and ') || 'no caller'}`);
}

interface AppPlace {
  readonly client: ServerClient;
  readonly catalog: Catalog;
  readonly line: AppLine;
}

async function printApp(tool: Tool, { client, catalog, line }: AppPlace): Promise<void> {
  const { terminal, options, signal } = line;
  const { uri, visibility } = toolUi(tool);
  if (uri === undefined) throw new WorkbenchError('no-app', `The tool "${tool.name}" has no app.`);
  const listed = catalog.resources.find((one) => one.uri === uri);
  const app = await readApp(client, uri, { signal, ...(listed !== undefined && { listed }) });
  if (options.output !== undefined)
    await writeNewFile(resolve(terminal.source.cwd, options.output), app.html);
  const { html, ...metadata } = app;
  if (options.json)
    return terminal.printJson({ tool: tool.name, visibility, ...metadata, characters: html.length });
  printMetadata({ tool: tool.name, app, visibility }, terminal);
}

function printMetadata(
  { tool, app, visibility }: { tool: string; app: AppResource; visibility: readonly string[] },
  terminal: Terminal,
): void {
  const origins = Object.entries(app.csp).map(([name, list]) => [name, list.join(' ')] as const);
  const facts: (readonly [label: string, text: string])[] = [
    ['tool', tool],
    ['uri', app.uri],
    ['callers', visibility.join(', ') || 'none'],
    ['permissions', app.permissions.join(', ') || 'none'],
    ['origins', origins.length === 0 ? 'none' : ''],
    ...origins.map(([name, list]) => [`  ${name}`, list] as const),
    ...(app.domain === undefined ? [] : [['domain', app.domain] as const]),
    ['document', `${app.html.length} characters`],
  ];
  printFacts(facts, terminal);
}
