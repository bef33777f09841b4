import { printableText } from '@tenon/foundation';
import type { Prompt, Tool } from '@tenon/mcp-client';
import { declarationsOf, TypeNames } from './calls/declarations.js';
import { indented, typeOf } from './calls/schema-type.js';
import { docComment, isIdentifier, oneLine, propertyName, wrapped } from './calls/type-text.js';
import type { Catalog } from './catalog/catalog.js';
import { WorkbenchError } from './failures/workbench-error.js';

/** Options of {@link typesModule}. */
interface TypesOptions {
  /** The name of the type for `connect`. Default: `Server`. */
  readonly name?: string;
  /** The command line that makes the module again, for its header. */
  readonly command: string;
}

/** The first line of each module. */
const mark = '// Types of an MCP server, made by tenon. Changes are lost: make the file again instead.';

/** The columns of a doc comment. */
const width = 100;

/**
 * Returns a TypeScript module with the types of a server: `connect<Server>(...)` types the arguments and the structured content of its
 * tools, and the arguments of its prompts. Equal lists, in any order, give the same text.
 * @throws WorkbenchError `usage` if the name is not an identifier.
 */
export function typesModule(catalog: Catalog, { name = 'Server', command }: TypesOptions): string {
  if (!isIdentifier(name) || !/^[A-Z]/.test(name) || name === 'Tools' || name === 'Prompts') {
    throw new WorkbenchError('usage', `"${name}" cannot be the name of the type.`, {
      hint: 'Use letters and digits, and begin with an upper-case letter: --name ShopServer',
    });
  }
  const names = new TypeNames([name, 'Tools', 'Prompts']);
  const tools = sorted(catalog.tools).map((tool) => toolTypes(tool, names));
  const prompts = sorted(catalog.prompts).map(promptType);
  const declared = tools.flatMap(({ declarations }) => declarations);
  const members = [
    [
      'The tools: the arguments as callers write them, and the structured content.',
      'Tools',
      tools.map(({ member }) => member),
    ],
    ['The prompts and their arguments.', 'Prompts', prompts],
  ] as const;
  return `${[
    header(catalog, command),
    ...declared,
    ...members.map(([about, type, lines]) =>
      lines.length === 0
        ? `/** ${about} */\nexport type ${type} = Record<never, never>;`
        : `/** ${about} */\nexport interface ${type} ${block(lines)}`,
    ),
    contract(catalog, name),
  ].join('\n\n')}\n`;
}

/** True for a module that {@link typesModule} returned. */
export function isTypesModule(text: string): boolean {
  return text.startsWith(mark);
}

/**
 * True if two modules have the same types. Their headers may differ: the version of the server, and the command line. So may their
 * format: white space, quotes, and the ends of members.
 */
export function isSameModule(a: string, b: string): boolean {
  return withoutFormat(a) === withoutFormat(b);
}

function withoutFormat(text: string): string {
  const lines = text.split('\n');
  const body = lines.slice(lines.findIndex((line) => !line.startsWith('//'))).join('\n');
  return body
    .replaceAll(/[\s;,]/g, '')
    .replaceAll("'", '"')
    .replaceAll(/([=:(<])\|/g, '$1');
}

function header({ server, revision }: Catalog, command: string): string {
  const { name = 'unknown', version = '' } = server ?? {};
  return [
    mark,
    `// Server: ${plain(`${name} ${version}`)}, in revision ${plain(revision)}.`,
    `// Command: ${plain(command)}`,
  ].join('\n');
}

function contract({ server }: Catalog, name: string): string {
  const about = `The type of the server${server === undefined ? '' : ` "${plain(server.name)}"`}: connect<${name}>(...).`;
  return `${docComment(wrapped(about, width), width).join('\n')}
export interface ${name} {
  /** Never present at run time. */
  readonly '~contract'?: { readonly tools: Tools; readonly prompts: Prompts };
}`;
}

interface ToolTypes {
  readonly declarations: readonly string[];
  /** The lines of the tool in the interface of all tools. */
  readonly member: string;
}

function toolTypes(tool: Tool, names: TypeNames): ToolTypes {
  const { name, inputSchema, outputSchema } = tool;
  const short = typeOf(inputSchema);
  const isPlain = short.startsWith('Record<string,');
  const input = isPlain ? short : names.nameFor(name, 'Input');
  const about = `The arguments of ${plain(name)}.`;
  const declarations = isPlain ? [] : [declared(input, { schema: inputSchema, about }, names)];
  let output = 'unknown';
  if (outputSchema !== undefined) {
    output = names.nameFor(name, 'Output');
    const content = `The structured content of ${plain(name)}.`;
    declarations.push(declared(output, { schema: outputSchema, about: content }, names));
  }
  const member = `${propertyName(name)}: { readonly input: ${input}; readonly output: ${output} };`;
  return { declarations, member: [...comment(tool), member].join('\n') };
}

function declared(
  name: string,
  { schema, about }: { readonly schema: unknown; readonly about: string },
  names: TypeNames,
): string {
  return `${docComment(wrapped(about, width), width).join('\n')}\n${declarationsOf(name, schema, names)}`;
}

function promptType(prompt: Prompt): string {
  const lines = (prompt.arguments ?? []).map((argument) => {
    const { name, required = false } = argument;
    return [...comment(argument), `readonly ${propertyName(name)}${required ? '' : '?'}: string;`].join('\n');
  });
  const args = `${propertyName(prompt.name)}: { readonly args: ${block(lines)} };`;
  return [...comment(prompt), args].join('\n');
}

function block(lines: readonly string[]): string {
  return lines.length === 0 ? 'Record<never, never>' : `{\n${indented(lines.join('\n'))}\n}`;
}

function comment({
  description,
  title,
}: {
  readonly description?: string;
  readonly title?: string;
}): string[] {
  const text = printableText(description ?? title ?? '').slice(0, longest);
  return text.trim() === '' ? [] : docComment(wrapped(text, width), width);
}

/** The longest description, in characters. */
const longest = 10_000;

/** Returns a text of the server in one line, without control characters. */
function plain(text: string): string {
  return oneLine(printableText(text), 200);
}

/** Returns entries in the order of their names, each name once. */
function sorted<T extends { readonly name: string }>(entries: readonly T[]): readonly T[] {
  const byName = new Map<string, T>();
  for (const entry of entries) if (!byName.has(entry.name)) byName.set(entry.name, entry);
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
