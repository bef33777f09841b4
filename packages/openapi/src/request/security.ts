import { isRecord, toBase64 } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/json-schema/structure';
import { type Context, ToolError } from '@tenon/mcp-server';
import type { OpenApiDocument } from '../document/document.js';
import { Unsupported } from '../document/references.js';
import { shown } from '../document/texts.js';
import type { Credentials } from './request.js';
import { encoded } from './styles.js';

/** A security scheme of the document that an operation needs. */
export interface SecurityScheme {
  /** The name in `components.securitySchemes`. */
  readonly name: string;
  readonly type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect';
  /** The part of a request that holds an API key. */
  readonly in: 'header' | 'query' | 'cookie' | undefined;
  /** The name of the header, parameter or cookie of an API key. */
  readonly parameter: string | undefined;
  /** The scheme of `http` in lower case, such as `bearer` or `basic`. */
  readonly scheme: string | undefined;
  /** The scopes that the operation needs. */
  readonly scopes: readonly string[];
}

/** Returns the credential of a call for a security scheme; undefined if there is none. */
export type OpenApiAuth = (call: {
  readonly ctx: Context;
  readonly scheme: SecurityScheme;
}) => string | undefined | Promise<string | undefined>;

/** The schemes that an operation needs, all of them. None means that it needs no credentials. */
export type Requirement = readonly SecurityScheme[];

/**
 * Returns the alternatives of an operation, one of which a request must satisfy; none if it needs no credentials.
 * @throws Unsupported if the document does not define the schemes.
 */
export function securityOf(document: OpenApiDocument, operation: UnknownObject): readonly Requirement[] {
  const security = operation.security ?? document.root.security;
  if (!Array.isArray(security) || security.length === 0) return [];
  const problems: string[] = [];
  const found = security.flatMap((one): Requirement[] => {
    const schemes = Object.entries(isRecord(one) ? one : {}).map(([name, scopes]) => {
      const scheme = schemeOf(document, name, scopes);
      if (scheme === undefined) problems.push(`the security scheme ${shown(name)} is not one that is known`);
      return scheme;
    });
    // A connection with a client certificate is the business of the option `fetch`.
    const sent = schemes.filter((scheme) => scheme !== 'mutualTLS');
    return sent.every((scheme) => scheme !== undefined) ? [sent] : [];
  });
  if (found.length === 0) throw new Unsupported(problems[0] ?? 'its security is malformed');
  return found;
}

function schemeOf(
  document: OpenApiDocument,
  name: string,
  scopes: unknown,
): SecurityScheme | 'mutualTLS' | undefined {
  const { components } = document.root;
  const all = isRecord(components) && isRecord(components.securitySchemes) ? components.securitySchemes : {};
  const own = Object.hasOwn(all, name) ? document.references.follow(all[name]) : undefined;
  if (own?.type === 'mutualTLS') return 'mutualTLS';
  const { type, in: place, name: parameter, scheme } = own ?? {};
  const common = {
    name,
    in: undefined,
    parameter: undefined,
    scheme: undefined,
    scopes: Array.isArray(scopes) ? scopes.filter((one): one is string => typeof one === 'string') : [],
  };
  if (type === 'oauth2' || type === 'openIdConnect') return { ...common, type };
  const isToken = (value: unknown): value is string =>
    typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]{1,200}$/.test(value);
  if (type === 'http' && isToken(scheme)) return { ...common, type, scheme: scheme.toLowerCase() };
  if (type !== 'apiKey' || typeof parameter !== 'string') return undefined;
  if (place === 'query' || ((place === 'header' || place === 'cookie') && isToken(parameter)))
    return { ...common, type, in: place, parameter };
  return undefined;
}

/** Returns the places of API keys, as `in name`: a model must not fill them. */
export function securedPlaces(alternatives: readonly Requirement[]): ReadonlySet<string> {
  return new Set(
    alternatives
      .flat()
      .flatMap(({ in: place, parameter = '' }) =>
        place === undefined ? [] : [`${place} ${parameter.toLowerCase()}`],
      ),
  );
}

const none: Credentials = { headers: {}, query: [], cookies: [] };

/**
 * Returns the credentials of a call: those of the first alternative with a credential for each of its schemes.
 * @throws ToolError if the operation needs credentials and there are none.
 */
export async function credentialsOf(
  alternatives: readonly Requirement[],
  auth: OpenApiAuth | undefined,
  ctx: Context,
): Promise<{ readonly credentials: Credentials; readonly secrets: readonly string[] }> {
  if (auth === undefined) return { credentials: none, secrets: [] };
  const known = new Map<string, string | undefined>();
  for (const alternative of alternatives.filter((one) => one.length > 0)) {
    const values: [SecurityScheme, string][] = [];
    for (const scheme of alternative) {
      if (!known.has(scheme.name)) known.set(scheme.name, await auth({ ctx, scheme }));
      const value = known.get(scheme.name);
      if (value !== undefined) values.push([scheme, value]);
    }
    if (values.length === alternative.length)
      return { credentials: written(values), secrets: values.map(([, value]) => value) };
  }
  if (alternatives.length === 0 || alternatives.some((one) => one.length === 0))
    return { credentials: none, secrets: [] };
  const names = [...known.keys()].map(shown).join(' or ');
  throw new ToolError(
    `The request was not sent: it needs a credential for ${names}, and there is none for this caller. Tell the user; do not call again.`,
  );
}

function written(values: readonly (readonly [SecurityScheme, string])[]): Credentials {
  const headers: Record<string, string> = {};
  const query: [string, string][] = [];
  const cookies: string[] = [];
  for (const [scheme, value] of values) {
    const { type, in: place, parameter = '' } = scheme;
    if (type !== 'apiKey') headers.authorization = authorization(scheme, value);
    else if (place === 'query') query.push([encoded(parameter), encoded(value)]);
    else if (place === 'cookie') cookies.push(`${parameter}=${value}`);
    else headers[parameter.toLowerCase()] = value;
  }
  return { headers, query, cookies };
}

function authorization({ scheme = 'bearer' }: SecurityScheme, value: string): string {
  if (scheme === 'basic') return `Basic ${toBase64(new TextEncoder().encode(value))}`;
  return `${scheme === 'bearer' ? 'Bearer' : scheme} ${value}`;
}
