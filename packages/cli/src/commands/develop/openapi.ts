import { Duplex } from 'node:stream';
import { detach, onAbort } from '@tenon/foundation';
import { safeHttp } from '@tenon/mcp-auth/server';
import { connectMemory } from '@tenon/mcp-client/memory';
import {
  fromOpenApi,
  type OpenApiOptions,
  type OpenApiTools,
  type OperationFilter,
} from '@tenon/mcp-openapi';
import { createServer, type Server } from '@tenon/mcp-server';
import { WorkbenchError } from '@tenon/mcp-workbench';
import { type LintReport, lint, readSubject } from '@tenon/mcp-workbench/lint';
import { printReport } from '../../content/lint-text.js';
import { type CommandLine, clientInfo, ownVersion } from '../../context.js';
import { readText } from '../../files/files.js';
import type { Terminal } from '../../terminal/terminal.js';
import { counted, oneLine, shortName, tableLines } from '../../terminal/texts.js';

/** The options of `tenon openapi`. */
interface OpenApiCommandOptions {
  readonly serve?: true;
  readonly port?: number;
  readonly baseUrl?: string;
  readonly documentServers?: true;
  readonly header: Readonly<Record<string, string>>;
  readonly include?: readonly string[];
  readonly deprecated?: true;
  readonly notes?: true;
  readonly json?: true;
}

type OpenApiLine = CommandLine<OpenApiCommandOptions>;

/** Bytes of a document at a URL, and milliseconds until it must be there. */
const documentBounds = { bytes: 33_554_432, timeout: 30_000 };

/** Lists the tools of an OpenAPI document with their cost, or serves them. */
export async function runOpenApi(line: OpenApiLine): Promise<void> {
  const { options, terminal } = line;
  const [file = ''] = line.words;
  if (options.port !== undefined && options.serve !== true)
    throw new WorkbenchError('usage', '--port needs --serve.');
  const tools = toolsOf(await readDocument(file, terminal), options);
  const server = createServer({ name: nameOf(tools.title), version: ownVersion() });
  tools.register(server);
  if (options.serve === true) return serve(server, tools, line);
  const report = await checked(server);
  if (options.json === true) return terminal.printJson(catalogOf(tools, report));
  printTools(tools, report, terminal);
  printReport(report, { terminal, notes: options.notes === true });
}

async function readDocument(file: string, terminal: Terminal): Promise<string> {
  if (!/^https?:/i.test(file)) return readText(file, terminal);
  const server = new URL(file);
  const headers = { accept: 'application/json, application/yaml, */*;q=0.5' };
  const http = safeHttp({ server, ...documentBounds });
  const { status, text } = await http.send({ method: 'GET', url: server, headers });
  if (status === 200) return text;
  throw new WorkbenchError('unreachable', `${server.origin}${server.pathname} answered with HTTP ${status}.`);
}

function toolsOf(document: string, options: OpenApiCommandOptions): OpenApiTools {
  const { baseUrl, documentServers, header, include = [], deprecated, serve: serves } = options;
  const given: OpenApiOptions = {
    ...(baseUrl !== undefined && { baseUrl }),
    // Without --serve nothing is sent.
    documentServers: documentServers === true || serves !== true,
    headers: header,
    include: filterOf(include),
    deprecated: deprecated === true,
  };
  try {
    return fromOpenApi(document, given);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    const message = error.message.replace(/^fromOpenApi: /, '');
    const hint = 'Give --base-url URL, or --document-servers to trust those of the document.';
    const isBase = message.includes('give baseUrl');
    throw isBase
      ? new WorkbenchError('usage', message, { hint, cause: error })
      : new WorkbenchError('usage', message, { cause: error });
  }
}

const filters: Readonly<Record<string, keyof OperationFilter>> = {
  tag: 'tags',
  path: 'paths',
  method: 'methods',
  id: 'operationIds',
};

function filterOf(texts: readonly string[]): OperationFilter {
  const filter: Partial<Record<keyof OperationFilter, readonly string[]>> = {};
  for (const text of texts) {
    const [, name = '', value = ''] = /^(\w+)=(.+)$/s.exec(text) ?? [];
    const member = Object.hasOwn(filters, name) ? filters[name] : undefined;
    if (member === undefined)
      throw new WorkbenchError('usage', `--include ${text}: write tag=, path=, method= or id= and a value.`);
    filter[member] = [...(filter[member] ?? []), value];
  }
  return filter;
}

/** Returns a name of a server: letters, digits and hyphens. */
function nameOf(title: string): string {
  return (
    title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60) || 'api'
  );
}

async function serve(
  server: Server,
  tools: OpenApiTools,
  { terminal, options, signal }: OpenApiLine,
): Promise<void> {
  const offer = `${tools.title}: ${counted(tools.tools.length, 'tool')}, ${tools.skipped.length} skipped.`;
  if (options.port !== undefined) {
    const { serveHttp } = await import('@tenon/mcp-server/http');
    const serving = await serveHttp(server, { port: options.port });
    terminal.note(`${offer}\nConnect clients to ${serving.url}\nCtrl+C ends the server.`);
    await new Promise<void>((done) => onAbort(signal, done));
    return serving.close();
  }
  const { input, output } = terminal.source;
  if (input.isTTY === true)
    terminal.note(`${offer}\nA client starts this command and speaks to it on stdin. Ctrl+C ends it.`);
  const { serveStdio } = await import('@tenon/mcp-server/stdio');
  const serving = await serveStdio(server, { stream: Duplex.from({ readable: input, writable: output }) });
  onAbort(signal, () => detach(serving.close(), () => {}));
  await serving.closed;
}

/** Checks the tools as any server's. */
async function checked(server: Server): Promise<LintReport> {
  const client = await connectMemory(server, { info: clientInfo() });
  try {
    return lint(await readSubject(client, { once: true }));
  } finally {
    await client.close();
  }
}

/** A tool as it is printed. */
interface ToolRow {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly tags: readonly string[];
  readonly tokens: number;
}

function rowsOf({ tools }: OpenApiTools, { costs }: LintReport): readonly ToolRow[] {
  const tokens = new Map(costs.map((one) => [one.tool, one.tokens]));
  return tools.map(({ name, operation: { method, path, tags } }) => ({
    ...{ name, method, path, tags },
    tokens: tokens.get(name) ?? 0,
  }));
}

function catalogOf(tools: OpenApiTools, report: LintReport): object {
  const { title, skipped } = tools;
  const { tokens, findings } = report;
  return { title, tokens, tools: rowsOf(tools, report), skipped, findings };
}

function printTools(tools: OpenApiTools, report: LintReport, terminal: Terminal): void {
  const groups = new Map<string, ToolRow[]>();
  for (const row of rowsOf(tools, report)) {
    const group = row.tags[0] ?? 'without a tag';
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  for (const [group, rows] of groups) {
    const sum = rows.reduce((all, { tokens }) => all + tokens, 0);
    terminal.print(terminal.paint('bold', `${shortName(group)}: about ${counted(sum, 'token')}`));
    const table = rows.map(({ name, method, path, tokens }) => [name, String(tokens), `${method} ${path}`]);
    for (const text of tableLines([['tool', 'tokens', 'operation'], ...table], terminal))
      terminal.print(`  ${text}`);
    terminal.print('');
  }
  if (tools.skipped.length === 0) return;
  terminal.print(terminal.paint('bold', counted(tools.skipped.length, 'skipped operation')));
  for (const { method, path, reason } of tools.skipped)
    terminal.print(`  ${oneLine(`${method} ${path}`.trim())}: ${oneLine(reason)}`);
  terminal.print('');
}
