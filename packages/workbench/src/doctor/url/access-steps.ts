import { type Finding, failed, passed, warned } from '../examination.js';
import { type FirstAnswer, type HttpRequest, probe } from './http-step.js';
import { discoverRequest, type RawResponse, rawRequest } from './raw-request.js';

const foreign = 'evil.example.com';

/**
 * Checks that a server on this machine rejects requests that a page of another site could send (DNS rebinding).
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
 */
export async function examineRebinding(
  request: HttpRequest,
  first: FirstAnswer,
  signal: AbortSignal,
): Promise<Finding> {
  if (first.isDenied) return passed('requires a token, which a page of another site does not have');
  const { headers } = request;
  const byHost = await probe({ ...request, headers: { ...headers, host: foreign } }, signal);
  const byOrigin = await probe({ ...request, headers: { ...headers, origin: `http://${foreign}` } }, signal);
  const open = [
    ...(isRejected(byHost, first.response) ? [] : ['Host']),
    ...(isRejected(byOrigin, first.response) ? [] : ['Origin']),
  ];
  if (open.length === 0)
    return passed(`rejects another Host (${byHost.status}) and Origin (${byOrigin.status})`);
  return warned(`accepts any ${open.join(' and any ')}: a page in a browser can call its tools`, {
    fix: 'Answer 403 unless Host is localhost, 127.0.0.1 or [::1], and Origin is absent or a known one.',
  });
}

/** True if a response rejects a request that differs from another only in one header. */
function isRejected({ status }: RawResponse, usual: RawResponse): boolean {
  return status === 403 || status === 421 || (status >= 400 && status !== usual.status);
}

/** The request headers that MCP clients in browsers send. */
const needed = ['content-type', 'mcp-protocol-version', 'mcp-session-id', 'authorization'];

/** Checks that a page of an origin can call a server: the preflight, and the headers that it can read. */
export async function examineCors(
  { url, headers }: HttpRequest,
  origin: string,
  signal: AbortSignal,
): Promise<Finding> {
  const preflight = await rawRequest({
    ...{ url, method: 'OPTIONS', signal },
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': needed.join(','),
    },
  });
  const answer = await rawRequest({
    ...{ url, method: 'POST', signal },
    ...discoverRequest({ ...headers, origin }),
  });
  const problems =
    preflight.status >= 200 && preflight.status < 300
      ? missingHeaders(preflight, answer, origin)
      : [`the preflight (OPTIONS) is answered with HTTP ${preflight.status}`];
  if (problems.length === 0) return passed(`pages of ${origin} can call it`);
  return failed('findings', `pages of ${origin} cannot call it, or not in full`, {
    details: problems,
    fix: 'Answer OPTIONS with 204, and set these CORS headers at the server or at the proxy before it.',
  });
}

function missingHeaders(preflight: RawResponse, answer: RawResponse, origin: string): readonly string[] {
  return [
    ...(allows(preflight, 'access-control-allow-origin', origin)
      ? []
      : [`access-control-allow-origin does not name ${origin}`]),
    ...(allows(preflight, 'access-control-allow-methods', 'post')
      ? []
      : ['access-control-allow-methods lacks POST']),
    ...needed
      .filter((name) => !allowsHeader(preflight, name))
      .map((name) => `access-control-allow-headers lacks ${name}`),
    ...(allows(answer, 'access-control-allow-origin', origin)
      ? []
      : ['the answer to POST lacks access-control-allow-origin']),
    ...['mcp-session-id', 'www-authenticate']
      .filter((name) => !allows(answer, 'access-control-expose-headers', name))
      .map((name) => `access-control-expose-headers lacks ${name}`),
  ];
}

function allows({ header }: RawResponse, name: string, value: string): boolean {
  const values = (header(name) ?? '').split(',').map((one) => one.trim().toLowerCase());
  return values.includes('*') || values.includes(value.toLowerCase());
}

/** The wildcard does not include `authorization`. https://fetch.spec.whatwg.org/#cors-non-wildcard-request-header-name */
function allowsHeader(preflight: RawResponse, name: string): boolean {
  if (name !== 'authorization') return allows(preflight, 'access-control-allow-headers', name);
  const listed = preflight.header('access-control-allow-headers') ?? '';
  return listed.toLowerCase().includes('authorization');
}
