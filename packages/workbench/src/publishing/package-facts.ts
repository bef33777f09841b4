import { isObject } from '@tenon/mcp-protocol/internal';

/** The parts of a `package.json` that describe a server. */
export interface PackageFacts {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly description: string | undefined;
  readonly license: string | undefined;
  readonly homepage: string | undefined;
  /** The URL for reports. */
  readonly bugs: string | undefined;
  readonly author: PackageAuthor | undefined;
  readonly keywords: readonly string[];
  readonly repository: PackageRepository | undefined;
  /** The name of the server in the registry. */
  readonly mcpName: string | undefined;
  readonly isPrivate: boolean;
  /** The path of the program, relative to the folder: of the only one, or of the one that has the name of the package. */
  readonly program: string | undefined;
  /** The range of versions of Node. */
  readonly node: string | undefined;
}

/** The author of a package. */
interface PackageAuthor {
  readonly name: string;
  readonly email?: string;
  readonly url?: string;
}

/** The repository of a package. */
interface PackageRepository {
  /** A URL for browsers. */
  readonly url: string;
  /** The service, such as `github`. */
  readonly source: string;
  /** The user or organisation at the service. */
  readonly owner: string | undefined;
  /** The folder of the package. */
  readonly folder: string | undefined;
}

/** Reads a parsed `package.json`. Members of another type are left out. */
export function packageFacts(manifest: unknown): PackageFacts {
  const given = isObject(manifest) ? manifest : {};
  const { engines, bugs, keywords } = given;
  const name = textIn(given.name);
  return {
    name,
    version: textIn(given.version),
    description: textIn(given.description),
    license: textIn(given.license),
    homepage: textIn(given.homepage),
    bugs: textIn(bugs) ?? (isObject(bugs) ? textIn(bugs.url) : undefined),
    author: authorIn(given.author),
    keywords: Array.isArray(keywords) ? keywords.filter((word) => typeof word === 'string') : [],
    repository: repositoryIn(given.repository),
    mcpName: textIn(given.mcpName),
    isPrivate: given.private === true,
    program: programIn(given.bin, name) ?? textIn(given.main),
    node: isObject(engines) ? textIn(engines.node) : undefined,
  };
}

/** Returns the name of a package without its scope. */
export function withoutScope(name: string): string {
  return name.replace(/^@[^/]*\//, '');
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Reads an author as an object, or as a text such as `Ann <ann@example.com> (https://example.com)`. */
function authorIn(author: unknown): PackageAuthor | undefined {
  const text = textIn(author);
  const [, name, email, url] =
    text === undefined
      ? ['', ...(isObject(author) ? [textIn(author.name), textIn(author.email), textIn(author.url)] : [])]
      : (/^([^<(]+?)\s*(?:<([^>]*)>)?\s*(?:\(([^)]*)\))?$/.exec(text) ?? []);
  if (name === undefined || name === '') return undefined;
  return { name, ...(email !== undefined && { email }), ...(url !== undefined && { url }) };
}

function repositoryIn(repository: unknown): PackageRepository | undefined {
  const given = textIn(repository) ?? (isObject(repository) ? textIn(repository.url) : undefined);
  if (given === undefined) return undefined;
  const folder = isObject(repository) ? textIn(repository.directory) : undefined;
  const [, service, path] = /^(github|gitlab|bitbucket):(.+)$/.exec(given) ?? [];
  const host = service === 'bitbucket' ? 'bitbucket.org' : `${service}.com`;
  const isShort = /^[\w.-]+\/[\w.-]+$/.test(given);
  const long = given
    .replace(/^git\+/, '')
    .replace(/^git@([^:]+):/, 'https://$1/')
    .replace(/^(?:ssh|git):\/\/(?:[^@/]*@)?/, 'https://')
    .replace(/\.git$/, '');
  const short = isShort ? `https://github.com/${given}` : `https://${host}/${path}`;
  const address = isShort || path !== undefined ? short : long;
  if (!URL.canParse(address)) return undefined;
  const { origin, pathname, hostname } = new URL(address);
  const source = hostname.replace(/^www\./, '').replace(/\.(com|org)$/, '');
  return { url: origin + pathname, source, owner: pathname.split('/')[1], folder };
}

function programIn(bin: unknown, name: string | undefined): string | undefined {
  if (!isObject(bin)) return textIn(bin);
  const own = name === undefined ? undefined : textIn(bin[withoutScope(name)]);
  return own ?? textIn(Object.values(bin)[0]);
}
