import { latest } from '@tenon/mcp-protocol';
import { revision20250618 } from '@tenon/mcp-protocol/internal';
import { expect, test } from 'vitest';
import { type Scripted, ScriptedHttp } from '../../test/http/scripted-http.js';
import { type DiscoverRequest, discover } from './discovery.js';

const server = 'https://mcp.example/team/mcp';
const pathPlace = 'https://mcp.example/.well-known/oauth-protected-resource/team/mcp';
const rootPlace = 'https://mcp.example/.well-known/oauth-protected-resource';
const ownMetadata = 'https://mcp.example/.well-known/oauth-authorization-server';
const ownOpenid = 'https://mcp.example/.well-known/openid-configuration';
const issuer = 'https://auth.example';

const resource = { resource: server, authorization_servers: [issuer] };

function metadataOf(origin: string): [string, Scripted] {
  const body = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
  };
  return [`${origin}/.well-known/oauth-authorization-server`, { body }];
}

function discoverFrom(
  answers: Readonly<Record<string, Scripted>>,
  {
    at = server,
    advertised,
    ...more
  }: Partial<Omit<DiscoverRequest, 'server'>> & { at?: string; advertised?: string } = {},
) {
  const http = new ScriptedHttp();
  for (const [url, answer] of Object.entries(answers)) http.on(url, answer);
  const challenge = advertised === undefined ? undefined : { resourceMetadata: advertised };
  const found = discover({ server: new URL(at), challenge, http, ...more });
  return { found, http, asked: () => http.requests.map(({ url }) => url.href) };
}

test('finds the authorization server in the metadata of the resource', async () => {
  const body = { ...resource, scopes_supported: ['a', 'b c', 'd'], dpop_bound_access_tokens_required: true };
  const { found, asked } = discoverFrom({
    [pathPlace]: { body },
    ...Object.fromEntries([metadataOf(issuer)]),
  });
  const { resource: resourceFound, server: serverFound } = await found;
  expect(resourceFound).toEqual({
    resource: server,
    authorizationServers: [issuer],
    scopesSupported: ['a', 'd'],
    dpopBound: true,
  });
  expect(serverFound).toMatchObject({ issuer, tokenEndpoint: new URL(`${issuer}/token`), assumed: false });
  expect(asked()).toEqual([pathPlace, `${issuer}/.well-known/oauth-authorization-server`]);
});

test('fetches only the metadata URL of the challenge', async () => {
  const advertised = 'https://cdn.example/any/place.json';
  const answers = Object.fromEntries([metadataOf(issuer)]);
  const there = discoverFrom({ ...answers, [advertised]: { body: resource } }, { advertised });
  await expect(there.found).resolves.toMatchObject({ resource: { resource: server } });
  expect(there.asked()[0]).toBe(advertised);
  const gone = discoverFrom({ ...answers, [pathPlace]: { body: resource } }, { advertised });
  await expect(gone.found).rejects.toMatchObject({
    reason: 'discovery-failed',
    message: `The challenge of https://mcp.example has a resource_metadata URL, and no metadata is there: ${advertised} (status 404).`,
  });
  expect(gone.asked()).toEqual([advertised]);
});

test('tries the well-known URL of the path before that of the origin if there is no challenge', async () => {
  const body = { ...resource, resource: 'https://mcp.example' };
  const answers = { [rootPlace]: { body }, ...Object.fromEntries([metadataOf(issuer)]) };
  const { found, asked } = discoverFrom(answers);
  await expect(found).resolves.toMatchObject({ resource: { resource: 'https://mcp.example' } });
  expect(asked().slice(0, 2)).toEqual([pathPlace, rootPlace]);
  const query = discoverFrom(answers, { at: `${server}/?a=b` });
  await query.found;
  expect(query.asked()[0]).toBe(`${pathPlace}?a=b`);
  const root = discoverFrom(answers, { at: 'https://mcp.example/' });
  await root.found;
  expect(root.asked()[0]).toBe(rootPlace);
});

test.each(['/.well-known/oauth-protected-resource/team/mcp', 'metadata', '', 'https://'])(
  'ignores a relative metadata URL in a challenge (%j)',
  async (advertised) => {
    const answers = { [pathPlace]: { body: resource }, ...Object.fromEntries([metadataOf(issuer)]) };
    const { found, asked } = discoverFrom(answers, { advertised });
    await expect(found).resolves.toMatchObject({ server: { issuer } });
    expect(asked()[0]).toBe(pathPlace);
  },
);

test('ignores a start page at the URL of the metadata', async () => {
  const page = { body: '<html>', headers: { 'content-type': 'text/html' } };
  const answers = {
    [pathPlace]: page,
    [rootPlace]: { body: resource },
    ...Object.fromEntries([metadataOf(issuer)]),
  };
  await expect(discoverFrom(answers).found).resolves.toMatchObject({ server: { issuer } });
});

test('rejects metadata of another resource before it fetches other documents', async () => {
  for (const other of [
    'https://evil.example/team/mcp',
    'https://mcp.example/other',
    `${server}#x`,
    undefined,
    7,
    '',
  ]) {
    const { found, asked } = discoverFrom({ [pathPlace]: { body: { ...resource, resource: other } } });
    await expect(found, String(other)).rejects.toMatchObject({ reason: 'mismatch' });
    expect(asked()).toEqual([pathPlace]);
  }
});

test('rejects a resource that covers other servers of the origin, at a URL of one server', async () => {
  const advertised = 'https://mcp.example/team/mcp/metadata.json';
  const body = { ...resource, resource: 'https://mcp.example' };
  await expect(discoverFrom({ [advertised]: { body } }, { advertised }).found).rejects.toMatchObject({
    reason: 'mismatch',
    message: expect.stringContaining(
      'it covers more than the server, which is allowed only at a well-known URL',
    ),
  });
});

test('rejects metadata without an authorization server', async () => {
  for (const list of [[], undefined, 'https://auth.example', [7], {}]) {
    const { found } = discoverFrom({
      [pathPlace]: { body: { resource: server, authorization_servers: list } },
    });
    await expect(found).rejects.toMatchObject({ reason: 'discovery-failed' });
  }
});

test('rejects a metadata URL that is not https', async () => {
  for (const advertised of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:application/json,{}',
    'http://mcp.example/prm',
  ]) {
    const { found, asked } = discoverFrom({}, { advertised });
    await expect(found, advertised).rejects.toMatchObject({ reason: 'forbidden-address' });
    expect(asked()).toEqual([]);
  }
});

test('accepts http for the metadata of a server that was configured with http, and for nothing else', async () => {
  const at = 'http://mcp.example/mcp';
  const advertised = 'http://mcp.example/prm';
  const body = { resource: at, authorization_servers: [issuer, 'http://mcp.example'] };
  const answers = { [advertised]: { body }, ...Object.fromEntries([metadataOf(issuer)]) };
  await expect(discoverFrom(answers, { at, advertised }).found).resolves.toMatchObject({
    server: { issuer },
  });
  const own = { [advertised]: { body: { ...body, authorization_servers: ['http://mcp.example'] } } };
  await expect(discoverFrom(own, { at, advertised }).found).rejects.toMatchObject({
    reason: 'forbidden-address',
  });
  await expect(discoverFrom({}, { at }).found).rejects.toMatchObject({ reason: 'forbidden-address' });
});

test('sends the revision only to the origin of the server', async () => {
  const versionAt = async (
    answers: Readonly<Record<string, Scripted>>,
    more?: Parameters<typeof discoverFrom>[1],
  ) => {
    const { found, http } = discoverFrom(answers, more);
    await found;
    return http.requests.map(({ url, headers }) => [url.origin, headers?.['mcp-protocol-version']]);
  };
  const answers = { [rootPlace]: { body: resource }, ...Object.fromEntries([metadataOf(issuer)]) };
  const own = 'https://mcp.example';
  expect(await versionAt(answers)).toEqual([
    [own, latest.id],
    [own, latest.id],
    [issuer, undefined],
  ]);
  const spoken = await versionAt(Object.fromEntries([metadataOf(own)]), { revision: revision20250618 });
  expect(spoken).toEqual([
    [own, '2025-06-18'],
    [own, '2025-06-18'],
    [own, '2025-06-18'],
  ]);
});

test('chooses the first usable authorization server, and does not fetch the others', async () => {
  const second = 'https://second.example';
  const third = 'https://third.example';
  const body = { ...resource, authorization_servers: [issuer, 'javascript:x', second, third] };
  const answers = { [pathPlace]: { body }, ...Object.fromEntries([metadataOf(second), metadataOf(third)]) };
  const { found, asked } = discoverFrom(answers);
  await expect(found).resolves.toMatchObject({ server: { issuer: second } });
  expect(asked().some((url) => url.startsWith(third))).toBe(false);
});

test('offers the usable authorization servers to chooseAuthorizationServer', async () => {
  const second = 'https://second.example';
  const third = 'https://third.example';
  const body = { ...resource, authorization_servers: [issuer, second, third] };
  const answers = { [pathPlace]: { body }, ...Object.fromEntries([metadataOf(third), metadataOf(issuer)]) };
  const offered: string[][] = [];
  const { found } = discoverFrom(answers, {
    choose: (offers, of) => {
      offered.push([of.resource, ...offers.map((one) => one.issuer)]);
      return offers[1];
    },
  });
  await expect(found).resolves.toMatchObject({ server: { issuer: third } });
  expect(offered).toEqual([[server, issuer, third]]);
  const none = discoverFrom(answers, { choose: async () => undefined });
  await expect(none.found).rejects.toMatchObject({ reason: 'discovery-failed' });
  const own = discoverFrom(answers, { choose: ([one]) => one && { ...one } });
  await expect(own.found).rejects.toThrow(TypeError);
});

test('lists the errors of all authorization servers if none can be used', async () => {
  const second = 'https://second.example';
  const body = { ...resource, authorization_servers: [issuer, second] };
  const [place, answer] = metadataOf('https://attacker.example');
  const answers = { [pathPlace]: { body }, [place.replace('attacker', 'second')]: answer };
  for (const choose of [undefined, ([first]: readonly unknown[]) => first as undefined]) {
    await expect(discoverFrom(answers, { choose }).found).rejects.toMatchObject({
      reason: 'discovery-failed',
      message: expect.stringMatching(
        /^None of the 2 .*auth\.example has no metadata .*second\.example names the issuer https:\/\/attacker\.example/,
      ),
    });
  }
  const down = { status: 503 };
  const passing = discoverFrom({
    [pathPlace]: { body },
    [`${issuer}/.well-known/oauth-authorization-server`]: down,
    [`${second}/.well-known/oauth-authorization-server`]: down,
  });
  await expect(passing.found).rejects.toMatchObject({ reason: 'unreachable' });
});

test('rejects an authorization server without a token endpoint', async () => {
  const [place] = metadataOf(issuer);
  const { found } = discoverFrom({ [pathPlace]: { body: resource }, [place]: { body: { issuer } } });
  await expect(found).rejects.toMatchObject({ reason: 'unsupported' });
});

test('fetches the metadata of at most eight authorization servers', async () => {
  const many = Array.from({ length: 1_000 }, (_, at) => `https://a${at}.example`);
  const { found, asked } = discoverFrom({
    [pathPlace]: { body: { ...resource, authorization_servers: many } },
  });
  await expect(found).rejects.toThrow(/^None of the 8 /);
  expect(asked()).toHaveLength(1 + 8 * 2);
});

test('uses a server without resource metadata as its own authorization server', async () => {
  for (const spelling of ['https://mcp.example', 'https://mcp.example/']) {
    const body = { issuer: spelling, token_endpoint: 'https://mcp.example/oauth/token' };
    const { found, asked } = discoverFrom({ [ownMetadata]: { body } });
    await expect(found).resolves.toMatchObject({
      resource: { resource: server, authorizationServers: [spelling], dpopBound: false },
      server: { issuer: spelling, tokenEndpoint: new URL('https://mcp.example/oauth/token'), assumed: false },
    });
    expect(asked()).toEqual([pathPlace, rootPlace, ownMetadata]);
  }
  const openid = discoverFrom({ [ownOpenid]: metadataOf('https://mcp.example')[1] });
  await expect(openid.found).resolves.toMatchObject({ server: { issuer: 'https://mcp.example' } });
  for (const other of ['https://attacker.example', 'https://mcp.example/oauth']) {
    const { found } = discoverFrom({ [ownMetadata]: { body: { issuer: other } } });
    await expect(found).rejects.toMatchObject({ reason: 'mismatch' });
  }
});

test('uses the default endpoints of a server without any metadata', async () => {
  const { found, asked } = discoverFrom({}, { at: 'https://mcp.example/' });
  await expect(found).resolves.toMatchObject({
    resource: { resource: 'https://mcp.example' },
    server: {
      issuer: 'https://mcp.example',
      tokenEndpoint: new URL('https://mcp.example/token'),
      assumed: true,
    },
  });
  expect(asked()).toEqual([rootPlace, ownMetadata, ownOpenid]);
});

test('does not use the defaults if metadata is only unavailable', async () => {
  for (const place of [pathPlace, rootPlace, ownMetadata, ownOpenid]) {
    for (const status of [500, 502, 503, 429]) {
      const { found } = discoverFrom({ [place]: { status } });
      await expect(found, `${place} ${status}`).rejects.toMatchObject({
        reason: 'unreachable',
        answerStatus: status,
      });
    }
  }
});

test('rejects with the reason of the signal', async () => {
  const stop = new AbortController();
  stop.abort(new Error('Never mind.'));
  const http = { send: async () => Promise.reject(stop.signal.reason) };
  const body = { ...resource, authorization_servers: [issuer, 'https://second.example'] };
  const gone = discover({ server: new URL(server), http, signal: stop.signal });
  await expect(gone).rejects.toThrow('Never mind.');
  const later = new ScriptedHttp()
    .on(pathPlace, { body })
    .on(metadataOf(issuer)[0], () => Promise.reject(stop.signal.reason));
  await expect(discover({ server: new URL(server), http: later })).rejects.toThrow('Never mind.');
});
