import { latest } from '@tenon/mcp-protocol';
import { revision20250618 } from '@tenon/mcp-protocol/internal';
import { expect, test } from 'vitest';
import { type Scripted, ScriptedHttp } from '../../test/scripted-http.js';
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
    told,
    ...more
  }: Partial<Omit<DiscoverRequest, 'server'>> & { at?: string; told?: string } = {},
) {
  const http = new ScriptedHttp();
  for (const [url, answer] of Object.entries(answers)) http.on(url, answer);
  const challenge = told === undefined ? undefined : { resourceMetadata: told };
  const found = discover({ server: new URL(at), challenge, http, ...more });
  return { found, http, asked: () => http.requests.map(({ url }) => url.href) };
}

test('the metadata of a resource leads to its authorization server', async () => {
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

test('the place a challenge names is asked, and no other', async () => {
  const told = 'https://cdn.example/any/place.json';
  const answers = Object.fromEntries([metadataOf(issuer)]);
  const there = discoverFrom({ ...answers, [told]: { body: resource } }, { told });
  await expect(there.found).resolves.toMatchObject({ resource: { resource: server } });
  expect(there.asked()[0]).toBe(told);
  const gone = discoverFrom({ ...answers, [pathPlace]: { body: resource } }, { told });
  await expect(gone.found).rejects.toMatchObject({
    reason: 'discovery-failed',
    message: `https://mcp.example says where its metadata is, and there is none: ${told} (status 404).`,
  });
  expect(gone.asked()).toEqual([told]);
});

test('without a challenge, the place of the path is asked before that of the origin', async () => {
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
  'a challenge that tells no whole address (%j) is as if it told none',
  async (told) => {
    const answers = { [pathPlace]: { body: resource }, ...Object.fromEntries([metadataOf(issuer)]) };
    const { found, asked } = discoverFrom(answers, { told });
    await expect(found).resolves.toMatchObject({ server: { issuer } });
    expect(asked()[0]).toBe(pathPlace);
  },
);

test('a start page in the place of metadata is none', async () => {
  const page = { body: '<html>', headers: { 'content-type': 'text/html' } };
  const answers = {
    [pathPlace]: page,
    [rootPlace]: { body: resource },
    ...Object.fromEntries([metadataOf(issuer)]),
  };
  await expect(discoverFrom(answers).found).resolves.toMatchObject({ server: { issuer } });
});

test('metadata of another resource is refused before any authorization server is asked', async () => {
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

test('one of several servers at an origin cannot ask for tokens that all of them take', async () => {
  const told = 'https://mcp.example/team/mcp/metadata.json';
  const body = { ...resource, resource: 'https://mcp.example' };
  await expect(discoverFrom({ [told]: { body } }, { told }).found).rejects.toMatchObject({
    reason: 'mismatch',
    message: expect.stringContaining('it covers more than the server, and no well-known place says so'),
  });
});

test('metadata that names no authorization server is no metadata to go by', async () => {
  for (const list of [[], undefined, 'https://auth.example', [7], {}]) {
    const { found } = discoverFrom({
      [pathPlace]: { body: { resource: server, authorization_servers: list } },
    });
    await expect(found).rejects.toMatchObject({ reason: 'discovery-failed' });
  }
});

test('the place a challenge names must be a web address', async () => {
  for (const told of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:application/json,{}',
    'http://mcp.example/prm',
  ]) {
    const { found, asked } = discoverFrom({}, { told });
    await expect(found, told).rejects.toMatchObject({ reason: 'forbidden-address' });
    expect(asked()).toEqual([]);
  }
});

test('a server that the user named by http may say so of its own metadata, and of nothing else', async () => {
  const at = 'http://mcp.example/mcp';
  const told = 'http://mcp.example/prm';
  const body = { resource: at, authorization_servers: [issuer, 'http://mcp.example'] };
  const answers = { [told]: { body }, ...Object.fromEntries([metadataOf(issuer)]) };
  await expect(discoverFrom(answers, { at, told }).found).resolves.toMatchObject({ server: { issuer } });
  const own = { [told]: { body: { ...body, authorization_servers: ['http://mcp.example'] } } };
  await expect(discoverFrom(own, { at, told }).found).rejects.toMatchObject({ reason: 'forbidden-address' });
  await expect(discoverFrom({}, { at }).found).rejects.toMatchObject({ reason: 'forbidden-address' });
});

test('the revision goes to the origin of the server alone', async () => {
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

test('of several authorization servers the first that can be used is taken, and the rest left alone', async () => {
  const second = 'https://second.example';
  const third = 'https://third.example';
  const body = { ...resource, authorization_servers: [issuer, 'javascript:x', second, third] };
  const answers = { [pathPlace]: { body }, ...Object.fromEntries([metadataOf(second), metadataOf(third)]) };
  const { found, asked } = discoverFrom(answers);
  await expect(found).resolves.toMatchObject({ server: { issuer: second } });
  expect(asked().some((url) => url.startsWith(third))).toBe(false);
});

test('a chooser is offered those that can be used', async () => {
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

test('where none can be used, each is told of', async () => {
  const second = 'https://second.example';
  const body = { ...resource, authorization_servers: [issuer, second] };
  const [place, answer] = metadataOf('https://attacker.example');
  const answers = { [pathPlace]: { body }, [place.replace('attacker', 'second')]: answer };
  for (const choose of [undefined, ([first]: readonly unknown[]) => first as undefined]) {
    await expect(discoverFrom(answers, { choose }).found).rejects.toMatchObject({
      reason: 'discovery-failed',
      message: expect.stringMatching(
        /^None of the 2 .*auth\.example has no metadata .*second\.example is of https:\/\/attacker\.example/,
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

test('an authorization server without a token endpoint cannot be used', async () => {
  const [place] = metadataOf(issuer);
  const { found } = discoverFrom({ [pathPlace]: { body: resource }, [place]: { body: { issuer } } });
  await expect(found).rejects.toMatchObject({ reason: 'unsupported' });
});

test('of a thousand authorization servers eight are looked at', async () => {
  const many = Array.from({ length: 1_000 }, (_, at) => `https://a${at}.example`);
  const { found, asked } = discoverFrom({
    [pathPlace]: { body: { ...resource, authorization_servers: many } },
  });
  await expect(found).rejects.toThrow(/^None of the 8 /);
  expect(asked()).toHaveLength(1 + 8 * 2);
});

test('a server without metadata of a resource is its own authorization server', async () => {
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

test('a server without any metadata has the endpoints of old', async () => {
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

test('a server whose metadata fails for the moment is not taken for one of old', async () => {
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

test('who asked may give up, and is told so', async () => {
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
