import { MetaKey, type Principal, serverPort } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { latestStateless } from '../../../test/wire-peer.js';
import { createServer, type Server } from '../../server.js';

const stamp = { [MetaKey.protocolVersion]: latestStateless.id, [MetaKey.clientCapabilities]: {} };
const isBoss = (principal: Principal | undefined) => principal?.id === 'boss';
const read = ({ variables }: { variables: object }) => `read ${JSON.stringify(variables)}`;

/** Some resources that not everybody may read, and templates that fit all of their URIs. */
function keptServer(): Server {
  const cache = { ttlMs: 5, cacheScope: 'public' } as const;
  return createServer({ name: 'test', version: '1' })
    .resource('notes://secret', { scopes: ['secret'] }, () => 'the secret')
    .resource('notes://hidden', { visible: isBoss }, () => 'the hidden')
    .resource('notes://caf%C3%A9', { scopes: ['secret'] }, () => 'the caf\u00e9')
    .resource('files:///etc/keys', { scopes: ['secret'] }, () => 'the keys')
    .resource('rows://all?of=keys&by=age', { scopes: ['secret'] }, () => 'the keys')
    .resource('notes://plain', {}, () => 'plain')
    .resource('paths://private/{name}', { scopes: ['secret'] }, read)
    .resource('notes://{id}', { cache }, read)
    .resource('files:///{+path}', {}, read)
    .resource('rows://all{?by,of}', {}, read)
    .resource('paths://{+path}', {}, read) as unknown as Server;
}

async function asked(uri: string, principal: Principal, server: Server = keptServer()) {
  const request = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri, _meta: stamp } };
  const answer = await server[serverPort].answer(request, { facts: { principal }, send: () => undefined });
  const { result, error } = JSON.parse(answer ?? '{}');
  return result?.contents[0].text ?? error?.data?.requiredScopes ?? error?.message;
}

const ann = { id: 'ann', scopes: [] };

describe('a resource with access control', () => {
  test.each([
    'notes://secret',
    'notes://%73ecret',
    'notes://%73%65%63ret',
    'notes://caf%C3%A9',
    'notes://caf%c3%a9',
    'notes://caf\u00e9',
    'files:///etc/keys',
    'files:///etc%2Fkeys',
    'files:///%65tc/keys',
    'rows://all?of=keys&by=age',
    'rows://all?by=age&of=keys',
    'rows://all?by=age&of=%6Beys',
    'paths://private/key',
    'paths://%70rivate/key',
    'paths://private%2Fkey',
  ])('needs its scopes when it is spelled %s', async (uri) => {
    expect(await asked(uri, ann)).toEqual(['secret']);
    expect(await asked(uri, { id: 'ann', scopes: ['secret'] })).toMatch(/^(the|read) /);
  });

  test.each(['notes://hidden', 'notes://%68idden'])('is not found when it is spelled %s', async (uri) => {
    expect(await asked(uri, { id: 'ann', scopes: ['secret'] })).toBe('Resource not found');
    expect(await asked(uri, { id: 'boss', scopes: [] })).toMatch(/^(the|read) /);
  });

  test('leaves similar resources readable', async () => {
    expect(await asked('notes://secrets', ann)).toBe('read {"id":"secrets"}');
    expect(await asked('notes://%2573ecret', ann)).toBe('read {"id":"%73ecret"}');
    expect(await asked('notes://pl%61in', ann)).toBe('read {"id":"plain"}');
    expect(await asked('rows://all?by=age', ann)).toBe('read {"by":"age"}');
  });

  test('loses its access control when it is removed', async () => {
    const server = keptServer();
    server.removeResource('notes://secret');
    expect(await asked('notes://%73ecret', ann, server)).toBe('read {"id":"secret"}');
    expect(await asked('notes://secret', ann, server)).toBe('read {"id":"secret"}');
  });

  test('is never public, in any spelling', async () => {
    const server = keptServer();
    const scopeOf = async (uri: string) => {
      const request = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri, _meta: stamp } };
      const facts = { principal: { id: 'ann', scopes: ['secret'] } };
      const answer = await server[serverPort].answer(request, { facts, send: () => undefined });
      return JSON.parse(answer ?? '{}').result.cacheScope;
    };
    expect(await scopeOf('notes://%73ecret')).toBe('private');
    expect(await scopeOf('notes://other')).toBe('public');
  });
});
