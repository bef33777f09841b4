import {
  type ConfiguredServer,
  clientEnvironment,
  problemText,
  qualifiedName,
  readServers,
  readServersOf,
  shortPath,
  summaryOf,
  visibleText,
} from '@tenon/mcp-config';
import type { CommandLine } from '../../context.js';

/** Options of `tenon servers`. */
interface ServersOptions {
  readonly config?: string;
  readonly json?: true;
}

/** Prints the configured servers, and notes the files that cannot be read. */
export async function runServers({ options, terminal }: CommandLine<ServersOptions>): Promise<void> {
  const { config, json } = options;
  const environment = clientEnvironment(terminal.source);
  const { servers, problems } = await (config === undefined
    ? readServers(environment)
    : readServersOf(config, environment));
  if (json === true) return terminal.printJson({ servers: servers.map(jsonOf), problems });
  for (const one of problems) terminal.note(`warning: ${visibleText(problemText(one))}`);
  if (servers.length === 0) {
    terminal.note('No server is configured. Add one to a client: tenon install CLIENT URL');
    return;
  }
  const { paint } = terminal;
  const counts = new Map<string, number>();
  for (const { name } of servers) counts.set(name, (counts.get(name) ?? 0) + 1);
  const width = Math.min(40, Math.max(...servers.map(({ name }) => name.length)));
  const files = new Map<string, ConfiguredServer[]>();
  for (const one of servers) {
    const title = `${one.client ?? 'file'} ${one.file}`;
    files.set(title, [...(files.get(title) ?? []), one]);
  }
  for (const list of files.values()) {
    const [first] = list;
    if (first === undefined) continue;
    const path = shortPath(first.file, environment);
    terminal.print(paint('bold', first.client ?? 'file') + paint('dim', `  ${visibleText(path)}`));
    for (const one of list) terminal.print(line(one, width));
  }
  const [twice] = servers.filter(({ name }) => (counts.get(name) ?? 0) > 1);
  if (twice !== undefined)
    terminal.note(
      `\nWrite a name that occurs more than once with its client: ${visibleText(qualifiedName(twice))}`,
    );

  function line(server: ConfiguredServer, column: number): string {
    const name = visibleText(server.name);
    const state = server.isDisabled ? ' (disabled)' : '';
    const room = Math.max(20, terminal.columns - column - 4 - state.length);
    return `  ${paint('cyan', name)}${' '.repeat(Math.max(2, column + 2 - name.length))}${shortened(visibleText(summaryOf(server)), room)}${paint('dim', state)}`;
  }
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 3)}...`;
}

function jsonOf(server: ConfiguredServer): object {
  const { name, client, file, scope, isDisabled, entry } = server;
  const secrets =
    entry.kind === 'url' ? { headers: Object.keys(entry.headers) } : { env: Object.keys(entry.env) };
  return {
    name,
    client,
    file,
    scope,
    disabled: isDisabled,
    kind: entry.kind,
    summary: summaryOf(server),
    ...secrets,
  };
}
