import { closeNames } from '@tenon/foundation';
import { ConfigError } from '../config-error.js';
import { commandLine } from '../entries/template.js';
import { type ConfiguredServer, type ConfiguredServers, problemText } from './parse-servers.js';

/**
 * Returns the server of a name: `NAME`, or `CLIENT:NAME` if several clients have one.
 * @throws ConfigError if there is none, or if the name means different servers.
 */
export function findServer(name: string, { servers, problems }: ConfiguredServers): ConfiguredServer {
  const named = servers.filter((one) => one.name === name);
  const found = named.length > 0 ? named : servers.filter((one) => qualifiedName(one) === name);
  const different = new Map(found.map((one) => [sameness(one), one]));
  const [server] = different.values();
  if (server !== undefined && different.size === 1) return server;
  if (server !== undefined) throw ambiguous(name, [...different.values()]);
  const broken = problems.find((one) => one.server === name);
  if (broken !== undefined) throw new ConfigError(problemText(broken));
  const close = closeNames(name, new Set([...servers.map((one) => one.name), ...servers.map(qualifiedName)]));
  const [file] = problems.filter((one) => one.server === undefined);
  throw new ConfigError(`No server is named "${name}".`, {
    hint: [
      ...(close.length > 0 ? [`Did you mean ${close.join(' or ')}?`] : []),
      ...(file === undefined ? [] : [`A file could not be read: ${problemText(file)}`]),
      ...meantTarget(name),
      '"tenon servers" lists the names. A URL begins with https://, and a command is written at the end: -- node server.js',
    ].join('\n      '),
  });
}

/** Returns the name of a server with its client. */
export function qualifiedName({ client, name }: ConfiguredServer): string {
  return client === undefined ? name : `${client}:${name}`;
}

/** Returns a text that is equal for entries that mean the same server. Entries of projects are never the same as others. */
function sameness({ entry, scope, file, folder }: ConfiguredServer): string {
  return JSON.stringify([entry, scope === 'project' ? [file, folder] : []]);
}

function ambiguous(name: string, servers: readonly ConfiguredServer[]): ConfigError {
  const width = Math.max(...servers.map((one) => qualifiedName(one).length));
  const lines = servers.map((one) => `  ${qualifiedName(one).padEnd(width)}  ${one.file}`);
  const isOneClient = new Set(servers.map(qualifiedName)).size < servers.length;
  return new ConfigError(`"${name}" means ${servers.length} different servers:\n${lines.join('\n')}`, {
    hint: isOneClient
      ? 'Choose the file: --config FILE'
      : 'Write the name with its client, such as the first one above.',
  });
}

const programs = /^(node|npx|tsx|bunx?|deno|python3?|uvx?|docker)( .+)?$/;

/** Returns how to write a program, a file or a host that the user named like a configured server; empty for other names. */
function meantTarget(name: string): readonly string[] {
  const [, program, args = ' ...'] = programs.exec(name) ?? [];
  if (program !== undefined) return [`To start a server, write its command at the end: -- ${program}${args}`];
  if (/\.[cm]?ts$/.test(name))
    return [`To start the file, write: -- ${commandLine(['npx', 'tenon', 'dev', '--stdio', name])}`];
  if (/\.([cm]?js|py)$/.test(name))
    return [`To start the file, write: -- ${commandLine([name.endsWith('py') ? 'python' : 'node', name])}`];
  const [, host, path = '/mcp'] = /^([\w.-]+(?::\d+)?)(\/.*)?$/.exec(name) ?? [];
  if (host === undefined || !/[.:]|^localhost$/.test(host)) return [];
  // Only hosts of this machine and addresses are used without TLS.
  const protocol = /^(localhost|[\d.]+)(:|$)/.test(host) ? 'http' : 'https';
  return [`For a URL, write: ${protocol}://${host}${path}`];
}
