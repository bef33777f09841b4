import { type OauthHttp, safeHttp } from '@tenon/mcp-auth/server';
import { type Examination, type Finding, failed, passed, shortened, warned } from '../examination.js';
import type { FirstAnswer } from './http-step.js';

/** The input of {@link examineAuthorization}. */
interface AuthorizationCase {
  readonly url: URL;
  readonly first: FirstAnswer;
}

/** A document that a server publishes. */
interface Document {
  readonly url: URL;
  readonly members: Readonly<Record<string, unknown>>;
}

interface Search {
  readonly http: OauthHttp;
  readonly signal: AbortSignal;
}

const mostServers = 3;

/** Runs the steps of sign-in before the sign-in itself: the challenge, and the metadata of the resource and of its servers. */
export async function examineAuthorization(
  examination: Examination,
  { url, first }: AuthorizationCase,
): Promise<void> {
  const http = safeHttp({ server: url, timeout: examination.timeout });
  const { isDenied } = first;
  const named = await examination.run({
    ...{ id: 'challenge', title: 'Challenge', needs: ['http'] },
    work: () => examineChallenge(first),
  });
  const issuers = await examination.run({
    ...{ id: 'resource-metadata', title: 'Resource metadata', needs: ['http'] },
    work: (signal) => examineResource(url, { named, isDenied }, { http, signal }),
  });
  // A server without metadata is its own authorization server, in the older revisions.
  const servers = issuers ?? (isDenied ? [url.origin] : []);
  if (servers.length === 0) return;
  await examination.run({
    ...{ id: 'authorization-server', title: 'Authorization server' },
    work: (signal) => examineIssuers(servers.slice(0, mostServers), { http, signal }),
  });
}

/** https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#authorization-server-location */
function examineChallenge({ response, isDenied }: FirstAnswer): Finding<string> {
  if (!isDenied) return passed('none: the first request needs no token');
  const challenge = response.header('www-authenticate');
  const fix =
    'Answer 401 with WWW-Authenticate: Bearer resource_metadata="https://.../.well-known/oauth-protected-resource/...".';
  if (challenge === undefined)
    return warned(`HTTP ${response.status} without a WWW-Authenticate header`, { fix });
  if (!/\b(?:bearer|dpop)\b/i.test(challenge))
    return warned(`WWW-Authenticate is "${shortened(challenge, 80)}", not Bearer`, {
      fix: 'MCP clients sign in with OAuth bearer tokens. For other schemes pass --header "Authorization: ...".',
    });
  const named = /resource_metadata="?([^",\s]+)/i.exec(challenge)?.[1];
  if (named === undefined)
    return warned('Bearer, without resource_metadata: clients have to guess where the metadata is', { fix });
  const scope = /\bscope="([^"]*)"/i.exec(challenge)?.[1];
  const scopes = scope === undefined ? 'no scope' : `scope ${scope}`;
  return passed(`Bearer, with resource_metadata and ${scopes}`, { value: named });
}

/** https://www.rfc-editor.org/rfc/rfc9728#section-3 */
async function examineResource(
  server: URL,
  { named, isDenied }: { named: string | undefined; isDenied: boolean },
  search: Search,
): Promise<Finding<readonly string[]>> {
  const known = '/.well-known/oauth-protected-resource';
  const path = server.pathname.replace(/\/$/, '');
  const places = [
    ...(named !== undefined && URL.canParse(named) ? [named] : []),
    ...(path === '' ? [] : [`${server.origin}${known}${path}`]),
    `${server.origin}${known}`,
  ];
  const { document, details } = await firstDocument([...new Set(places)], search);
  if (document === undefined) {
    if (!isDenied) return passed('none, and the server requires no sign-in');
    return warned('the server requires sign-in, and publishes no metadata', {
      details,
      fix: `Serve the metadata of RFC 9728 at ${server.origin}${known}${path}. Most clients cannot sign in without.`,
    });
  }
  const { resource, authorization_servers: listed } = document.members;
  const issuers = Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : [];
  if (typeof resource !== 'string' || !covers(resource, server))
    return failed(
      'authorization',
      `the resource is ${shown(resource)}, and the server is ${server.origin}${server.pathname}`,
      {
        details,
        fix: 'Clients reject tokens for another resource: publish exactly the URL that clients use (scheme, host, port and path).',
      },
    );
  if (issuers.length === 0)
    return failed('authorization', 'authorization_servers names no server', {
      details,
      fix: 'List the issuer of the authorization server in authorization_servers.',
    });
  const where = document.url.pathname;
  return passed(`${where}: tokens of ${issuers.slice(0, mostServers).join(', ')}`, {
    details,
    value: issuers,
  });
}

function covers(resource: string, { origin, pathname }: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const url = new URL(resource);
  const slashed = (path: string) => (path.endsWith('/') ? path : `${path}/`);
  return url.origin === origin && slashed(pathname).startsWith(slashed(url.pathname));
}

async function examineIssuers(issuers: readonly string[], search: Search): Promise<Finding> {
  const findings: Finding[] = [];
  for (const issuer of issuers) findings.push(await examineIssuer(issuer, search));
  // Clients use the first server that works.
  const usable =
    findings.find(({ status }) => status === 'passed') ?? findings.find(({ status }) => status === 'warned');
  const [first] = findings;
  return usable ?? first ?? failed('authorization', 'there is none');
}

/** https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization#authorization-server-metadata-discovery */
async function examineIssuer(issuer: string, search: Search): Promise<Finding> {
  if (!URL.canParse(issuer))
    return failed('authorization', `the issuer ${shown(issuer)} is not a URL`, {
      fix: 'List issuers as URLs in authorization_servers.',
    });
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    ...(path === '' ? [] : [`${origin}${path}/.well-known/openid-configuration`]),
  ];
  const { document, details } = await firstDocument(places, search);
  if (document === undefined)
    return failed('authorization', `${issuer} publishes no metadata`, {
      details,
      fix: `Serve the metadata of RFC 8414 at ${places[0]}, or OpenID Connect Discovery.`,
    });
  const { members } = document;
  if (members.issuer !== issuer)
    return failed('authorization', `the metadata of ${issuer} names the issuer ${shown(members.issuer)}`, {
      details,
      fix: 'Both must be identical, including a slash at the end: clients reject the metadata otherwise.',
    });
  return examineMetadata(issuer, members, details);
}

function examineMetadata(
  issuer: string,
  members: Readonly<Record<string, unknown>>,
  details: readonly string[],
): Finding {
  const missing = ['authorization_endpoint', 'token_endpoint'].filter(
    (name) => typeof members[name] !== 'string',
  );
  if (missing.length > 0)
    return failed('authorization', `${issuer} has no ${missing.join(' and no ')}`, {
      details,
      fix: 'Add the endpoints to the metadata.',
    });
  const methods = members.code_challenge_methods_supported;
  if (!Array.isArray(methods) || !methods.includes('S256'))
    return failed('authorization', `${issuer} does not list PKCE with S256`, {
      details,
      fix: 'Add "code_challenge_methods_supported": ["S256"] to the metadata: MCP clients must not sign in without.',
    });
  const registration = [
    ...(members.client_id_metadata_document_supported === true ? ['client id metadata documents'] : []),
    ...(typeof members.registration_endpoint === 'string' ? ['dynamic registration'] : []),
  ];
  if (registration.length === 0)
    return warned(`${issuer}: clients cannot register themselves`, {
      details,
      fix: 'Support client id metadata documents or dynamic registration, or give each client a client id by hand.',
    });
  return passed(`${issuer}: PKCE, ${registration.join(', ')}`, { details });
}

/** Fetches the first document that exists; `details` says what each place answered. */
async function firstDocument(
  places: readonly string[],
  { http, signal }: Search,
): Promise<{ readonly document?: Document; readonly details: readonly string[] }> {
  const details: string[] = [];
  for (const place of places) {
    const url = new URL(place);
    const { members, problem } = await fetchDocument(url, { http, signal });
    if (members !== undefined)
      return { document: { url, members }, details: [...details, `${place}: found`] };
    details.push(`${place}: ${problem}`);
  }
  return { details };
}

async function fetchDocument(
  url: URL,
  { http, signal }: Search,
): Promise<{ readonly members?: Readonly<Record<string, unknown>>; readonly problem: string }> {
  try {
    const { status, mediaType, text } = await http.send({ method: 'GET', url, signal });
    if (status !== 200) return { problem: `HTTP ${status}` };
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { members: { ...value }, problem: '' };
    return { problem: `${mediaType} that is not a JSON object` };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SyntaxError) return { problem: 'not JSON' };
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function shown(value: unknown): string {
  return value === undefined
    ? 'missing'
    : shortened(String(typeof value === 'string' ? value : JSON.stringify(value)), 100);
}
