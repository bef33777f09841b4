import { secrecyOf } from '@tenon/foundation/redaction';
import type { Icon, Implementation } from '@tenon/mcp-client';
import type { Catalog } from '../../catalog/catalog.js';
import type { ServerTarget } from '../../connections/server-target.js';
import { WorkbenchError } from '../../failures/workbench-error.js';
import { type PackageFacts, withoutScope } from '../package-facts.js';

/** The facts from which documents are made. */
export interface DocumentSource {
  readonly catalog: Catalog;
  readonly facts: PackageFacts;
  /** The server that was read; only the names of its variables and its address are used. */
  readonly target: ServerTarget;
  /** The name in the registry. Default: `mcpName` of the package, otherwise made of its repository at GitHub. */
  readonly name?: string;
  /** The public URL of the server. Default: that of a target with a public URL. */
  readonly remote?: string;
  /** The revisions that the server supports. */
  readonly revisions: readonly string[];
}

/** The longest description in the registry, in characters. */
const longestDescription = 100;

/** Returns the name of a server in the registry. @throws WorkbenchError `usage` if there is none. */
function registryName({ name, facts }: DocumentSource): string {
  const given = name ?? facts.mcpName;
  if (given !== undefined) return given;
  const { repository } = facts;
  if (repository?.source === 'github' && repository.owner !== undefined && facts.name !== undefined)
    return `io.github.${repository.owner}/${withoutScope(facts.name)}`;
  throw new WorkbenchError('usage', 'The server has no name in the registry.', {
    hint: 'Pass --name io.github.USER/NAME, or add "mcpName" to package.json.',
  });
}

/** The members that `server.json` and a server card share. */
export function identityOf(source: DocumentSource): Readonly<Record<string, unknown>> {
  const { catalog, facts } = source;
  const server: Partial<Implementation> = catalog.server ?? {};
  const { repository } = facts;
  const description = facts.description ?? server.description;
  const title = server.title?.slice(0, longestDescription);
  const websiteUrl = server.websiteUrl ?? facts.homepage;
  return {
    name: registryName(source),
    ...(title !== undefined && title !== '' && { title }),
    ...(description !== undefined && { description: shortened(description) }),
    version: facts.version ?? server.version ?? '',
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(repository !== undefined && {
      repository: {
        url: repository.url,
        source: repository.source,
        ...(repository.folder !== undefined && { subfolder: repository.folder }),
      },
    }),
  };
}

/** Returns the first sentences, or the first words, of a description that is too long. */
export function shortened(description: string): string {
  const line = description.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= longestDescription) return line;
  const start = line.slice(0, longestDescription - 1);
  const sentence = Math.max(start.lastIndexOf('. '), start.lastIndexOf('! '), start.lastIndexOf('? '));
  if (sentence > 0) return start.slice(0, sentence + 1);
  const word = start.lastIndexOf(' ');
  return `${start.slice(0, word > 0 ? word : undefined).replace(/[,;:]$/, '')}…`;
}

/** Returns the icons with an HTTPS address, which registries accept. */
export function publicIcons(icons: readonly Icon[] = []): readonly Icon[] {
  return icons.filter(({ src }) => src.startsWith('https://') && src.length <= 255);
}

/** Returns the public URL of a server; undefined if there is none. */
export function remoteOf({ remote, target }: DocumentSource): string | undefined {
  if (remote !== undefined) return remote;
  if (target.kind !== 'url') return undefined;
  const { origin, pathname } = new URL(target.url);
  return isPublicUrl(target.url) ? origin + pathname : undefined;
}

/** True for an HTTPS URL of a host that is not this machine or a private network, by its name. */
export function isPublicUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const isLocal =
    /^(localhost|127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[(::1?|f[cd].*|fe80.*)\])/.test(
      hostname,
    ) || /\.(local|localhost|internal|lan)$/.test(hostname);
  return protocol === 'https:' && !isLocal;
}

/** The environment variables of the command of a server, by name, and whether they are secret. Their values are not read. */
export function variablesOf(target: ServerTarget): readonly { name: string; isSecret: boolean }[] {
  if (target.kind !== 'command') return [];
  const names = Object.keys(target.env ?? {}).sort();
  return names.map((name) => ({ name, isSecret: secrecyOf(name) !== undefined }));
}

/**
 * Returns the arguments behind the program of the package in the command of a server, such as `--stdio` of
 * `node dist/main.js --stdio`. Empty if the command does not run that program.
 */
export function programArguments(target: ServerTarget, { program }: PackageFacts): readonly string[] {
  if (target.kind !== 'command' || program === undefined) return [];
  const path = program.replace(/^\.\//, '');
  const index = target.args.findIndex((word) => word.replaceAll('\\', '/').endsWith(path));
  return index === -1 ? [] : target.args.slice(index + 1);
}
