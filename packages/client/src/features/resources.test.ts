import { RemoteError, type Revision } from '@tenon/mcp-protocol';
import { revision20241105, revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { showsBy } from '../../../../tooling/suite/shows.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer, WireRefusal } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import { isResourceNotFound } from './resources.js';

/** Returns the error of reading a resource when the server answers with this code and data. */
async function failure(revision: Revision, code: number, data?: unknown): Promise<unknown> {
  const refusal = new WireRefusal(code, 'no', data);
  const server = new ScriptedServer(serverScript(revision, { 'resources/read': () => refusal }));
  const client = await linked(server);
  return client.readResource('a:b').catch((error: unknown) => error);
}

describe('a resource that is not there', () => {
  it.each([
    [revision20241105, -32002],
    [revision20251125, -32002],
    [revision20260728, -32602],
  ])('is known for it in $id', async (revision, code) => {
    showsBy(revision.id, {
      '2025-11-25': '2026-07-28/server/resources/not-found-older',
      '2026-07-28': '2026-07-28/server/resources/not-found-older',
    });
    expect(isResourceNotFound(await failure(revision, code, { uri: 'a:b' }), 'a:b')).toBe(true);
  });

  it.each([
    [-32602, undefined],
    [-32602, { uri: 'a:c' }],
    [-32602, 'a:b'],
    [-32603, { uri: 'a:b' }],
  ])('is not what %i with %o says', async (code, data) => {
    expect(isResourceNotFound(await failure(revision20260728, code, data), 'a:b')).toBe(false);
  });

  it('is not what any other failure says', () => {
    for (const error of [new Error('x'), undefined, { code: -32002 }]) {
      expect(isResourceNotFound(error, 'a:b')).toBe(false);
    }
    expect(isResourceNotFound(new RemoteError({ code: -32002, message: 'gone' }), 'a:b')).toBe(true);
  });
});
