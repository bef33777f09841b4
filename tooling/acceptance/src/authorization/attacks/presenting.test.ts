import { otherBounds } from '@tenon/foundation';
import { jwtVerifier, ResourceGuard } from '@tenon/mcp-auth/server';
import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { counted } from '../../hostile-server/counted.js';
import { type RawHeaders, RawHttp, requestText } from '../../hostile-server/raw-http.js';
import { stateless } from '../../hostile-server/request-table.js';
import { createNotes, type Notes } from './notes.js';
import type { ProtectedPlace } from './protected-place.js';
import { expectRefused, type Knock, knock, knocks } from './raw-requests.js';
import { TwoIssuers } from './two-issuers.js';

const [post] = knocks as readonly [Knock];

interface Row {
  readonly name: string;
  /** Uses a valid token. */
  readonly headers?: (token: string, other: string) => RawHeaders;
  readonly query?: (token: string) => string;
  /** The expected status: a request is only authorized with 200. */
  readonly gets: 200 | 400 | 401;
  /** The expected error code. Default: `invalid_request`, or none if no token was found. */
  readonly error?: string;
}

const alone = (name: string, write: (token: string) => string, gets: Row['gets']): Row => ({
  name,
  headers: (token) => ({ authorization: write(token) }),
  gets,
});
const beside = (name: string, header: string, write: (token: string) => string): Row => ({
  name,
  headers: (token) => ({ [header]: write(token) }),
  gets: 401,
});
const queried = (name: string, query: (token: string) => string, gets: Row['gets']): Row => ({
  name,
  query,
  gets,
});

const rows: readonly Row[] = [
  alone('as it should be', (token) => `Bearer ${token}`, 200),
  alone('with its scheme in small letters', (token) => `bearer ${token}`, 200),
  alone('by nothing', () => '', 401),
  alone('without a scheme', (token) => token, 401),
  alone('with the scheme alone', () => 'Bearer', 400),
  alone('with the scheme and a blank', () => 'Bearer ', 400),
  alone('behind a tab', (token) => `Bearer\t${token}`, 401),
  alone('behind a colon', (token) => `Bearer: ${token}`, 401),
  alone('in quotation marks', (token) => `Bearer "${token}"`, 400),
  alone('as a parameter', (token) => `Bearer token=${token}`, 400),
  alone('twice in a header', (token) => `Bearer ${token} ${token}`, 400),
  alone('twice in a header, with schemes', (token) => `Bearer ${token}, Bearer ${token}`, 400),
  alone('with a comma behind it', (token) => `Bearer ${token},`, 400),
  alone('with more behind it', (token) => `Bearer ${token} x`, 400),
  alone('with letters that no token has', (token) => `Bearer ${token}\u00e9`, 400),
  alone('with a zero byte behind it, in words', (token) => `Bearer ${token}%00`, 400),
  alone('at length', (token) => `Bearer ${token}${'A'.repeat(8_192)}`, 400),
  alone(
    'as a name and a password',
    (token) => `Basic ${Buffer.from(`ada:${token}`).toString('base64')}`,
    401,
  ),
  alone('by another scheme', (token) => `Token ${token}`, 401),
  alone('by negotiation', (token) => `Negotiate ${token}`, 401),
  {
    ...alone('by the scheme of bound ones, where none are taken', (token) => `DPoP ${token}`, 401),
    error: 'invalid_token',
  },
  {
    name: 'in two headers that say the same',
    headers: (token) => ({ authorization: [`Bearer ${token}`, `Bearer ${token}`] }),
    gets: 400,
  },
  {
    name: 'in two headers, the good one first',
    headers: (token, other) => ({ authorization: [`Bearer ${token}`, `Bearer ${other}`] }),
    gets: 400,
  },
  {
    name: 'in two headers, the good one last',
    headers: (token, other) => ({ authorization: [`Bearer ${other}`, `Bearer ${token}`] }),
    gets: 400,
  },
  {
    name: 'in two headers, one of another scheme',
    headers: (token) => ({ authorization: [`Bearer ${token}`, 'Basic eDp5'] }),
    gets: 400,
  },
  {
    name: 'in two headers, one of another scheme first',
    headers: (token) => ({ authorization: ['Basic eDp5', `Bearer ${token}`] }),
    gets: 401,
  },
  beside('in a cookie', 'cookie', (token) => `access_token=${token}; authorization=Bearer ${token}`),
  beside('in the header for proxies', 'proxy-authorization', (token) => `Bearer ${token}`),
  beside('in a header of somebody in front', 'x-forwarded-authorization', (token) => `Bearer ${token}`),
  beside(
    'in a header that says what the header was',
    'x-original-authorization',
    (token) => `Bearer ${token}`,
  ),
  beside('in a header that looks like the right one', 'authorization_', (token) => `Bearer ${token}`),
  queried('in the query', (token) => `?access_token=${token}`, 400),
  queried('in the query, behind something else', (token) => `?x=1&access_token=${token}`, 400),
  queried('in the query, under an escaped name', (token) => `?access%5Ftoken=${token}`, 400),
  queried('in the query, twice', (token) => `?access_token=${token}&access_token=${token}`, 400),
  queried('in the query, empty', () => '?access_token=', 400),
  queried('in the query, in capitals', (token) => `?ACCESS_TOKEN=${token}`, 401),
  queried('in the query, under another name', (token) => `?token=${token}`, 401),
  {
    name: 'in the query, and as it should be',
    headers: (token) => ({ authorization: `Bearer ${token}` }),
    query: (token) => `?access_token=${token}`,
    gets: 400,
  },
];

const ways = knocks.filter(({ name }) => name !== 'DELETE');
let cases = 0;

describe('a valid token that is sent', () => {
  let town: TwoIssuers;
  let place: ProtectedPlace;
  beforeAll(async () => {
    town = await TwoIssuers.open();
    place = await town.place(otherBounds({ tokenLength: 8_192 }));
  });
  afterAll(() => town.close());
  beforeEach(() => {
    place.notes.ran.length = 0;
    place.refused.length = 0;
  });

  for (const row of rows) {
    const tried = row.gets === 200 ? [post] : ways;
    cases += tried.length;
    it.each(tried.map((way) => [way.name, way] as const))(
      `${row.name} gets ${row.gets} (%s)`,
      async (_, way) => {
        const token = await town.token(place);
        const other = await town.token(place, { subject: 'eve' });
        const text = way.text(place, row.headers?.(token, other) ?? {}, row.query?.(token));
        const response = await knock(place, text);
        if (row.gets === 200) return expect(response.status).toBe(200);
        const { gets: status, error = status === 400 ? 'invalid_request' : undefined } = row;
        expectRefused(response, place, { status, error, secret: token });
        await place.serves(stateless, token);
      },
    );
  }

  cases++;
  it('gets 401 in the body of a form, which is not read', async () => {
    const token = await town.token(place);
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await knock(place, requestText('POST /mcp', type, `access_token=${token}`));
    expectRefused(response, place, { status: 401, secret: token });
  });

  cases++;
  it('gets 401 without a token before the body has arrived', async () => {
    const socket = await place.socket();
    socket.write(
      requestText('POST /mcp', { 'content-length': '4000000', 'content-type': 'application/json' }),
    );
    expect((await socket.count(1)).status).toBe(401);
    socket.close();
  });
});

/** Requests that a proxy or router might interpret differently. */
const detours: readonly (readonly [string, string, readonly number[]])[] = [
  ['another letter case', 'POST /MCP', [404]],
  ['two slashes', 'POST //mcp', [404]],
  ['a dot', 'POST /./mcp', [404]],
  ['a way back', 'POST /healthz/../mcp', [404]],
  ['a way back, escaped', 'POST /healthz/%2e%2e/mcp', [404]],
  ['a slash at the end', 'POST /mcp/', [404]],
  ['an escaped letter', 'POST /%6dcp', [404]],
  ['a parameter of the path', 'POST /mcp;x=y', [404]],
  ['a whole address', 'POST http://127.0.0.1/mcp', [401, 404]],
  ['the address of somebody else', 'POST http://evil.example/mcp', [401, 403, 404]],
  ['the path of the metadata above it', 'POST /.well-known/oauth-protected-resource/../../mcp', [404]],
  ['a query that looks like a path', 'POST /mcp?/.well-known/oauth-protected-resource/mcp', [401]],
  ['the method HEAD', 'HEAD /mcp', [401, 405]],
  ['the method OPTIONS', 'OPTIONS /mcp', [401, 405]],
  ['the method PUT', 'PUT /mcp', [401, 405]],
  ['the method TRACE', 'TRACE /mcp', [400, 401, 405]],
  ['an unknown method', 'PURGE /mcp', [400, 401, 405]],
  ['the older transport', 'GET /sse', [401]],
  ['a session of the older transport', 'POST /messages?sessionId=x', [401]],
];
cases += detours.length + 3;

describe('a request without a token is rejected', () => {
  let town: TwoIssuers;
  let notes: Notes;
  let url: string;
  let close: () => Promise<void>;
  beforeAll(async () => {
    town = await TwoIssuers.open();
    notes = createNotes();
    const authorizationServers = [town.honest.issuer];
    const serving = await serveHttp(notes.server, {
      mounts: [sseMount(notes.server)],
      limits: { drain: 1 },
      guard: (resource) => new ResourceGuard({ resource, authorizationServers, verify: jwtVerifier() }),
    });
    url = serving.url;
    close = () => serving.close();
  });
  afterAll(async () => {
    await close();
    await town.close();
  });

  async function statusOf(line: string, headers: RawHeaders = {}): Promise<number> {
    const socket = await RawHttp.open(url);
    const { host } = new URL(url);
    socket.write(requestText(line, { host, accept: 'text/event-stream, application/json', ...headers }));
    await socket.until(() => socket.text.includes('\r\n\r\n'));
    socket.close();
    expect(notes.ran).toEqual([]);
    return Number(socket.text.split(' ')[1]);
  }

  it.each(detours)('%s', async (_name, line, gets) => {
    expect(gets).toContain(await statusOf(line));
  });

  it('under another host name, even for the metadata', async () => {
    const headers = { host: 'evil.example' };
    expect(await statusOf('POST /mcp', headers)).toBe(403);
    expect(await statusOf('GET /.well-known/oauth-protected-resource/mcp', headers)).toBe(403);
  });

  it('from a page of another origin, except for the metadata', async () => {
    const headers = { origin: 'https://evil.example' };
    expect(await statusOf('POST /mcp', headers)).toBe(403);
    expect(await statusOf('GET /.well-known/oauth-protected-resource/mcp', headers)).toBe(200);
  });

  it('with a header that claims a check by a proxy', async () => {
    const headers = {
      'x-forwarded-user': 'ada',
      'x-forwarded-for': '127.0.0.1',
      'x-auth-request-user': 'ada',
    };
    expect(await statusOf('POST /mcp', headers)).toBe(401);
  });
});
counted('good tokens that are shown in bad ways, and ways around showing one', () => cases);
