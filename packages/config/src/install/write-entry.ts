import type { EntryStyle, McpClient } from '../clients/client-table.js';
import { ConfigError } from '../config-error.js';
import type { CommandEntry, ServerEntry, UrlEntry } from '../entries/server-entry.js';
import { type Reference, type Template, templateText } from '../entries/template.js';

/** A new entry of a configuration file, in the form of its client. */
export type EntryValue = Readonly<Record<string, unknown>>;

/** The client that reads an entry, and the form of its file. */
interface EntryTarget {
  readonly client: McpClient;
  readonly style: EntryStyle;
  readonly name: string;
  readonly platform: string;
}

/**
 * Returns a server in the form in which a client writes it. References become those of the client.
 * @throws ConfigError if the client cannot express the server.
 */
export function entryValue(entry: ServerEntry, target: EntryTarget): EntryValue {
  const writer = new EntryWriter(target);
  const value = entry.kind === 'url' ? urlValue(entry, target, writer) : commandValue(entry, target, writer);
  return Object.fromEntries(Object.entries(value).filter(([, member]) => !isEmpty(member)));
}

function isEmpty(member: unknown): boolean {
  return (
    member === undefined ||
    (typeof member === 'object' &&
      member !== null &&
      !Array.isArray(member) &&
      Object.keys(member).length === 0)
  );
}

function urlValue(
  { url, headers, transport }: UrlEntry,
  { style }: EntryTarget,
  writer: EntryWriter,
): EntryValue {
  const isSse = transport === 'sse';
  const address = () => writer.text(url, 'the URL');
  switch (style) {
    case 'standard':
    case 'vscode':
      return { type: isSse ? 'sse' : 'http', url: address(), headers: writer.record(headers) };
    case 'inspector':
      return { type: isSse ? 'sse' : 'streamable-http', url: address(), headers: writer.record(headers) };
    case 'cursor':
      return { url: address(), headers: writer.record(headers) };
    case 'gemini':
      return { [isSse ? 'url' : 'httpUrl']: address(), headers: writer.record(headers) };
    case 'goose':
      if (isSse) writer.refuse('HTTP+SSE');
      return {
        ...{ enabled: true, type: 'streamable_http', name: writer.target.name, uri: address() },
        ...{ headers: writer.record(headers), timeout: 300 },
      };
    case 'codex':
      if (isSse) writer.refuse('HTTP+SSE');
      return { url: address(), ...codexHeaders(headers, writer) };
    case 'desktop':
      throw new ConfigError('The file of Claude Desktop lists commands only.', {
        hint: 'Add the URL in its settings, under Connectors, or install a bridge: -- npx -y mcp-remote URL',
      });
  }
}

/** Codex reads headers from variables only where the whole value is one, or a bearer token. */
function codexHeaders(headers: Readonly<Record<string, Template>>, writer: EntryWriter): EntryValue {
  const plain: Record<string, string> = {};
  const variables: Record<string, string> = {};
  let token: string | undefined;
  for (const [name, value] of Object.entries(headers)) {
    const bearer = value.length === 2 && value[0] === 'Bearer ' ? variableOf(value[1]) : undefined;
    const variable = value.length === 1 ? variableOf(value[0]) : undefined;
    if (name.toLowerCase() === 'authorization' && bearer !== undefined) token = bearer;
    else if (variable !== undefined) variables[name] = variable;
    else plain[name] = writer.text(value, `the header ${name}`);
  }
  return { bearer_token_env_var: token, http_headers: plain, env_http_headers: variables };
}

function commandValue(
  entry: CommandEntry,
  { style, platform }: EntryTarget,
  writer: EntryWriter,
): EntryValue {
  const words = [entry.command, ...entry.args].map((word) => writer.text(word, 'the command'));
  const [command, ...args] = style === 'standard' && platform === 'win32' ? forWindows(words) : words;
  const cwd = writer.folder(entry.cwd);
  const envFile = writer.envFile(entry.envFile);
  switch (style) {
    case 'standard':
    case 'inspector':
      return { type: 'stdio', command, args, env: writer.record(entry.env), cwd };
    case 'vscode':
      return { type: 'stdio', command, args, env: writer.record(entry.env), envFile, cwd };
    case 'cursor':
      return { command, args, env: writer.record(entry.env), envFile };
    case 'gemini':
      return { command, args, env: writer.record(entry.env), cwd };
    case 'desktop':
      return { command, args, env: writer.record(entry.env) };
    case 'codex': {
      const { forwarded, others } = writer.forwarded(entry.env);
      return { command, args, env: others, env_vars: forwarded.length > 0 ? forwarded : undefined, cwd };
    }
    case 'goose': {
      const { forwarded, others } = writer.forwarded(entry.env);
      return {
        ...{ enabled: true, type: 'stdio', name: writer.target.name, cmd: command, args },
        ...{ envs: others, env_keys: forwarded.length > 0 ? forwarded : undefined, timeout: 300 },
      };
    }
  }
}

/** Claude Code cannot start the scripts of package managers on Windows itself. */
function forWindows(words: readonly string[]): readonly string[] {
  return ['npx', 'npm', 'pnpm', 'yarn'].includes(words[0] ?? '') ? ['cmd', '/c', ...words] : words;
}

function variableOf(part: string | Reference | undefined): string | undefined {
  return typeof part === 'object' && 'variable' in part && part.fallback === undefined
    ? part.variable
    : undefined;
}

/** Writes templates with the references of a client. */
class EntryWriter {
  readonly target: EntryTarget;

  constructor(target: EntryTarget) {
    this.target = target;
  }

  text(template: Template, what: string): string {
    return template
      .map((part) => (typeof part === 'string' ? this.#literal(part) : this.#reference(part, what)))
      .join('');
  }

  record(values: Readonly<Record<string, Template>>): Record<string, string> {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.text(value, name)]));
  }

  /** Splits variables into those that the client passes on under their own name, and those with a value. */
  forwarded(env: Readonly<Record<string, Template>>): {
    forwarded: string[];
    others: Record<string, string>;
  } {
    const isForwarded = ([name, value]: [string, Template]) =>
      value.length === 1 && variableOf(value[0]) === name;
    const entries = Object.entries(env);
    const others = Object.fromEntries(entries.filter((one) => !isForwarded(one)));
    return { forwarded: entries.filter(isForwarded).map(([name]) => name), others: this.record(others) };
  }

  folder(cwd: Template | undefined): string | undefined {
    if (cwd === undefined) return undefined;
    if (!['standard', 'vscode', 'gemini', 'codex', 'inspector'].includes(this.target.style))
      this.refuse('a working folder');
    return this.text(cwd, 'the working folder');
  }

  envFile(file: Template | undefined): string | undefined {
    if (file === undefined) return undefined;
    if (!['vscode', 'cursor'].includes(this.target.style)) this.refuse('a file with variables');
    return this.text(file, 'the file with variables');
  }

  refuse(what: string): never {
    throw new ConfigError(`${this.target.client.title} does not support ${what} for a server.`);
  }

  #literal(text: string): string {
    const found = this.target.style === 'gemini' ? /\$(?:\{|[A-Za-z_]\w*)/.exec(text) : null;
    if (found === null) return text;
    throw new ConfigError(`Gemini CLI would replace ${found[0]} by a variable.`, {
      hint: 'Choose a value without a dollar sign, or refer to a variable that has it.',
    });
  }

  #reference(reference: Reference, what: string): string {
    const { client, style } = this.target;
    const text = templateText([reference]);
    if (['codex', 'goose', 'desktop', 'inspector'].includes(style)) {
      throw new ConfigError(`${client.title} does not fill in ${text} in ${what}.`, {
        hint:
          style === 'codex' || style === 'goose'
            ? 'It passes on a variable of the same name only: --env NAME=$'.concat('{NAME}')
            : 'Write the value.',
      });
    }
    if ('unknown' in reference) return reference.unknown;
    if ('input' in reference) return style === 'vscode' ? text : this.refuse(`${text}, which VS Code has,`);
    if (style === 'standard' || style === 'gemini') return text;
    return reference.fallback === undefined
      ? `\${env:${reference.variable}}`
      : this.refuse('default values of variables');
  }
}
