import { didYouMean } from '@tenon/foundation';
import type { Prompt, Resource, ResourceTemplate, Tool } from '@tenon/mcp-client';
import {
  type Catalog,
  describeTarget,
  LeftOut,
  readCatalog,
  type ServerTarget,
  WorkbenchError,
} from '@tenon/mcp-workbench';
import { indented, signatureOf, wrapped } from '@tenon/mcp-workbench/calls';
import { paintJson } from '../../content/print-content.js';
import { requireNoMore } from '../../server/chosen-server.js';
import type { ServerOptions } from '../../server/server-options.js';
import { type ServerLine, withClient } from '../../server/with-client.js';
import type { Terminal } from '../../terminal/terminal.js';
import { counted, oneLine } from '../../terminal/texts.js';

/** Options of `tenon list`. */
interface ListOptions extends ServerOptions {
  readonly tools?: true;
  readonly resources?: true;
  readonly prompts?: true;
  readonly schema?: true;
  readonly all?: true;
}

type ListLine = ServerLine<ListOptions>;

/** Prints what a server offers, or the entries with a name. */
export async function runList(line: ListLine): Promise<void> {
  const { options, terminal } = line;
  const leftOut = new LeftOut();
  const open = { onError: leftOut.onError };
  await withClient({ ...line, open }, async ({ client, target, words: [name, ...more] }) => {
    requireNoMore(more, 'name');
    const missing: string[] = [];
    const onMissing = ({ message }: Error) =>
      missing.push(`${message}. The server declares this list, and does not have it.`);
    const catalog = selected(await readCatalog(client, { signal: line.signal, onMissing }), options);
    const found = name === undefined ? catalog : named(catalog, name);
    const reasons = [...leftOut.reasons, ...missing];
    if (options.json)
      return terminal.printJson(reasons.length === 0 ? found : { ...found, leftOut: reasons });
    // A single entry is printed whole.
    const all = options.all === true || (name !== undefined && found.tools.length <= 1);
    printCatalog(found, terminal, { target, all, schema: options.schema === true });
    if (reasons.length > 0) terminal.note(`\n${reasons.join('\n')}`);
  });
}

function selected(catalog: Catalog, { tools, resources, prompts }: ListOptions): Catalog {
  if (!(tools || resources || prompts)) return catalog;
  return {
    ...catalog,
    tools: tools ? catalog.tools : [],
    resources: resources ? catalog.resources : [],
    resourceTemplates: resources ? catalog.resourceTemplates : [],
    prompts: prompts ? catalog.prompts : [],
  };
}

/** Returns the entries with exactly that name, otherwise those that contain it in a name or URI. */
function named(catalog: Catalog, name: string): Catalog {
  const exact = filtered(catalog, (text) => text === name);
  if (namesOf(exact).length > 0) return exact;
  const similar = filtered(catalog, (text) => text.toLowerCase().includes(name.toLowerCase()));
  if (namesOf(similar).length > 0) return similar;
  const hint = didYouMean(name, namesOf(catalog));
  throw new WorkbenchError('usage', `The server lists nothing with the name "${name}".`, {
    ...(hint !== undefined && { hint }),
  });
}

function filtered(catalog: Catalog, fits: (text: string) => boolean): Catalog {
  const { tools, resources, resourceTemplates, prompts } = catalog;
  return {
    ...catalog,
    tools: tools.filter((one) => fits(one.name)),
    resources: resources.filter(({ name, uri }) => fits(name) || fits(uri)),
    resourceTemplates: resourceTemplates.filter(({ name, uriTemplate }) => fits(name) || fits(uriTemplate)),
    prompts: prompts.filter((one) => fits(one.name)),
  };
}

function namesOf({ tools, resources, resourceTemplates, prompts }: Catalog): string[] {
  return [...tools, ...resources, ...resourceTemplates, ...prompts].map(({ name }) => name);
}

/** The parts of a catalog to print. */
interface CatalogView {
  readonly target: ServerTarget;
  /** All parameters and whole descriptions. */
  readonly all: boolean;
  /** JSON Schemas in place of signatures. */
  readonly schema: boolean;
}

/** Prints a catalog for people: a title, and a section for each list that is not empty. */
function printCatalog(catalog: Catalog, terminal: Terminal, view: CatalogView): void {
  terminal.print(titleOf(catalog, terminal, view));
  const { tools, resources, resourceTemplates, prompts } = catalog;
  const width = Math.max(40, Math.min(terminal.columns, 120));
  const print = (title: string, texts: readonly string[], gap = '\n'): void => {
    if (texts.length > 0) terminal.print(`\n${terminal.paint('bold', title)}\n${texts.join(gap)}`);
  };
  const isLong = view.schema || tools.some(({ description }) => (description ?? '') !== '');
  print(
    'Tools',
    tools.map((tool) => toolText(tool, terminal, { ...view, width })),
    isLong ? '\n\n' : '\n',
  );
  print(
    'Resources',
    rows(
      resources.map((one) => resourceRow(one.uri, one)),
      { width, terminal, all: view.all },
    ),
  );
  print(
    'Resource templates',
    rows(
      resourceTemplates.map((one) => resourceRow(one.uriTemplate, one)),
      { width, terminal, all: view.all },
    ),
  );
  print('Prompts', rows(prompts.map(promptRow), { width, terminal, all: view.all }));
}

function titleOf(catalog: Catalog, terminal: Terminal, { target }: CatalogView): string {
  const { server, revision, tools, resources, resourceTemplates, prompts } = catalog;
  const name =
    server === undefined ? describeTarget(target) : `${server.title ?? server.name} ${server.version}`;
  const counts = [
    [tools.length, 'tool'],
    [resources.length, 'resource'],
    [resourceTemplates.length, 'template'],
    [prompts.length, 'prompt'],
  ] as const;
  const amounts = counts.flatMap(([count, noun]) => (count === 0 ? [] : [counted(count, noun)]));
  const overHttp = target.kind === 'url' && target.transport === 'sse' ? 'SSE' : 'HTTP';
  const transport = target.kind === 'command' ? 'stdio' : overHttp;
  const facts = [`MCP ${revision}`, transport, amounts.join(', ') || 'nothing listed'];
  return `${terminal.paint('bold', oneLine(name))}  ${terminal.paint('dim', facts.join(' · '))}`;
}

interface ToolView extends CatalogView {
  readonly width: number;
}

function toolText(tool: Tool, terminal: Terminal, { all, schema, width }: ToolView): string {
  const { paint } = terminal;
  const { comment, name, parameters, result } = signatureOf(tool, { width: width - 2, all });
  const head = `${paint(['cyan', 'bold'], name)}${parameters}`;
  const signature = `${head}${result === undefined ? '' : `: ${result}`}`;
  const hints = hintsOf(tool);
  const lines = [
    ...comment.map((line) => paint('dim', line)),
    ...(hints === '' ? [] : [paint('yellow', `// ${hints}`)]),
  ];
  if (!schema) return indented([...lines, signature].join('\n'));
  const { inputSchema, outputSchema } = tool;
  const schemas = paintJson({ inputSchema, ...(outputSchema !== undefined && { outputSchema }) }, terminal);
  return indented([...lines, paint(['cyan', 'bold'], name), schemas].join('\n'));
}

function hintsOf({ annotations, execution }: Tool): string {
  const { destructiveHint, readOnlyHint } = annotations ?? {};
  const hints = [
    ...(readOnlyHint === true ? ['read-only'] : []),
    ...(destructiveHint === true && readOnlyHint !== true ? ['destructive'] : []),
    ...(execution?.taskSupport === 'required' ? ['runs as a task'] : []),
  ];
  return hints.join(', ');
}

interface Row {
  readonly name: string;
  readonly text: string;
}

function resourceRow(address: string, entry: Resource | ResourceTemplate): Row {
  const { name, title, mimeType, description } = entry;
  return { name: address, text: joined([title ?? name, mimeType, description]) };
}

function promptRow({ name, title, description, arguments: list = [] }: Prompt): Row {
  const parameters = list.map((one) => `${one.name}${one.required === true ? '' : '?'}`).join(', ');
  return { name: `${name}(${parameters})`, text: joined([description ?? title]) };
}

function joined(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join(' · ');
}

/** Returns rows in two columns; a long name has a line of its own. Unless `all` is set, texts are cut to one line. */
function rows(
  list: readonly Row[],
  { width, terminal, all }: { width: number; terminal: Terminal; all: boolean },
): string[] {
  const { paint } = terminal;
  const widest = Math.min(40, Math.max(0, ...list.map(({ name }) => name.length)));
  const room = Math.max(20, width - widest - 4);
  return list.map((row) => {
    const name = oneLine(row.name);
    const [first = '', ...rest] = wrapped(oneLine(row.text), room);
    const texts = all || rest.length === 0 ? [first, ...rest] : [`${first.slice(0, room - 4)} ...`];
    const margin = ' '.repeat(widest + 4);
    const [top = '', ...more] = texts;
    const start =
      name.length > widest
        ? `  ${paint('cyan', name)}\n${margin}`
        : `  ${paint('cyan', name.padEnd(widest))}  `;
    const text = [top, ...more.map((line) => `${margin}${line}`)].join('\n');
    return top === '' ? `  ${paint('cyan', name)}` : `${start}${paint('dim', text)}`;
  });
}
