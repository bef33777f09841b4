import { isLikeDigested, roomOfStart, withDigest } from './text/accepted-name.js';
import { visibleLine } from './text/visible-text.js';

/** A tool, by the name of its server in the host and its name at the server. */
export interface ToolPair {
  readonly server: string;
  readonly tool: string;
}

/**
 * The names that every format of a model accepts. Anthropic and OpenAI accept `^[a-zA-Z0-9_-]{1,64}$` (`FunctionDefinition` of `openai`
 * 6.49); Gemini also requires a letter or underscore at the beginning (`FunctionDeclaration` of `@google/genai` 2.32).
 */
const accepted = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const separator = '__';
/** The characters that a long name of a server keeps. */
const shortestServer = 16;

/** Options of {@link modelName}. */
export interface ModelNameOptions {
  /** True for a name that the program uses itself, such as that of a tool of its own. The tool then gets a name with a digest. */
  readonly taken?: (name: string) => boolean;
}

/**
 * Returns the name of a tool for models: `server__tool`. Characters that a format rejects become `_`, and a name that was changed, cut
 * or could be read in two ways ends with a digest of the server and the tool. So the name depends on nothing but its own pair (and on
 * the names that are taken), and different pairs have different names.
 * @throws RangeError if the name with the digest is taken too.
 */
export function modelName(server: string, tool: string, { taken }: ModelNameOptions = {}): string {
  const plain = `${server}${separator}${tool}`;
  if (isUnambiguous(server, plain) && taken?.(plain) !== true) return plain;
  // A long name of a server leaves characters for that of the tool.
  const start = server.slice(0, Math.max(shortestServer, roomOfStart - separator.length - tool.length));
  const digested = withDigest(`${start}${separator}${tool}`, [server, tool]);
  if (taken?.(digested) === true)
    throw new RangeError(
      `The tool ${quoted(tool)} of the server ${quoted(server)} has no free name for models: ${digested} is taken. Rename the server in the host.`,
    );
  return digested;
}

/**
 * True if a plain name can be read in one way only: the server ends at the first separator, and no name with a digest is like it.
 */
function isUnambiguous(server: string, plain: string): boolean {
  return (
    accepted.test(plain) &&
    server !== '' &&
    plain.length > server.length + separator.length &&
    plain.indexOf(separator) === server.length &&
    !isLikeDigested(plain)
  );
}

/** Options of {@link nameTools}. */
export interface NameToolsOptions extends ModelNameOptions {
  /**
   * `always`: every name has the name of its server. `collision`: a tool has its own name, unless another server has a tool of the same
   * name, the name does not fit all formats, or it has `__`. Default: `always`.
   */
  readonly prefix?: 'always' | 'collision';
}

/** The names of tools for models, both ways. */
export interface ToolNames {
  /** The pairs by name, in the order of the list. */
  readonly pairs: ReadonlyMap<string, ToolPair>;
  /** Returns the name of a tool; undefined for a tool that was not in the list. */
  nameOf(server: string, tool: string): string | undefined;
}

/**
 * Names a list of tools. A pair that is listed twice counts once.
 * @throws RangeError if two tools would have the same name.
 */
export function nameTools(list: readonly ToolPair[], options: NameToolsOptions = {}): ToolNames {
  const { prefix = 'always' } = options;
  const names = new Map<string, string>();
  const servers = new Map<string, Set<string>>();
  for (const { server, tool } of list) servers.set(tool, (servers.get(tool) ?? new Set()).add(server));
  const pairs = new Map<string, ToolPair>();
  for (const { server, tool } of list) {
    const key = keyOf(server, tool);
    if (names.has(key)) continue;
    const isOwn = prefix === 'collision' && servers.get(tool)?.size === 1 && mayStandAlone(tool, options);
    const name = isOwn ? tool : modelName(server, tool, options);
    const other = pairs.get(name);
    if (other !== undefined) throw new RangeError(clash(name, other, { server, tool }));
    names.set(key, name);
    pairs.set(name, { server, tool });
  }
  return { pairs, nameOf: (server, tool) => names.get(keyOf(server, tool)) };
}

/** True for the name of a tool that no name with a server in front can equal. */
function mayStandAlone(tool: string, { taken }: ModelNameOptions): boolean {
  return accepted.test(tool) && !tool.includes(separator) && !isLikeDigested(tool) && taken?.(tool) !== true;
}

// JSON escapes halves of characters, which UTF-8 cannot tell apart.
function keyOf(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}

function clash(name: string, one: ToolPair, other: ToolPair): string {
  const text = ({ server, tool }: ToolPair): string => `${quoted(tool)} of the server ${quoted(server)}`;
  return `The tools ${text(one)} and ${text(other)} have the same name for models: ${name}. Rename one of the servers in the host.`;
}

function quoted(name: string): string {
  return JSON.stringify(visibleLine(name, 100));
}
