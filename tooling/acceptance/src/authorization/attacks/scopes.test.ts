import type { JsonValue, Revision } from '@tenon/mcp-protocol';
import type { TokenToIssue } from '@tenon/mcp-testing/oauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { counted } from '../../hostile-server/counted.js';
import { framesOf } from '../../hostile-server/posting.js';
import { handshakes, oneOfEachKind, textOf } from '../../hostile-server/speech.js';
import type { ProtectedPlace } from './protected-place.js';
import { TwoIssuers } from './two-issuers.js';

let town: TwoIssuers;
let place: ProtectedPlace;
beforeAll(async () => {
  town = await TwoIssuers.open();
  place = await town.place({
    scopes: { required: ['notes:read'], implies: { 'notes:all': ['notes:read', 'notes:write'] } },
  });
});
afterAll(() => town.close());
beforeEach(() => {
  place.notes.ran.length = 0;
});

interface Row {
  readonly name: string;
  readonly token: TokenToIssue;
  /** A tool, or another method with its params. */
  readonly asks?: string | readonly [string, object];
  /** The scopes of the challenge, or the text of the result. */
  readonly gets: readonly string[] | string;
}

const entry = ['notes:read'];
const claim = (name: string, scope: JsonValue | undefined, more: Partial<Row> = {}): Row => ({
  name,
  token: { claims: { scope } },
  gets: entry,
  ...more,
});
const reader: TokenToIssue = { scopes: ['notes:read'] };
const writing = ['notes:read', 'notes:write'];

const rows: readonly Row[] = [
  { name: 'what it takes', token: reader, gets: /./.source },
  claim('nothing', undefined),
  claim('an empty text', ''),
  claim('blanks', '   '),
  claim('null', null),
  claim('a number', 7),
  claim('true', true),
  claim('an object', { 'notes:read': true }),
  claim('the scope in capitals', 'NOTES:READ'),
  claim('half of the scope', 'notes'),
  claim('the scope with more behind it', 'notes:read:all'),
  claim('the scope with something before it', 'xnotes:read'),
  claim('a star', '*'),
  claim('a star behind the first half', 'notes:*'),
  claim('scopes with a comma between them', 'notes:read,notes:write'),
  claim('scopes with a tab between them', 'notes:read\tnotes:write'),
  claim('scopes with a line between them', 'x\nnotes:read'),
  claim('scopes in a list in a list', [['notes:read']]),
  claim('a member of objects', '__proto__ constructor toString'),
  claim('nothing, and the scope in another claim', '', {
    token: { claims: { scope: '', scp: ['notes:read'] } },
  }),
  claim('nothing, and roles', undefined, {
    token: { claims: { scope: undefined, roles: ['notes:read'], permissions: writing } },
  }),
  { name: 'reading, and asks to write', token: reader, asks: 'write', gets: writing },
  { name: 'writing, and asks to write', token: { scopes: ['notes:write'] }, asks: 'write', gets: entry },
  { name: 'all, and asks to write', token: { scopes: ['notes:all'] }, asks: 'write', gets: 'written' },
  {
    name: 'what all implies, and asks to erase',
    token: { scopes: ['notes:all'] },
    asks: 'erase',
    gets: [...writing, 'notes:erase'],
  },
  { name: 'reading, and asks to erase', token: reader, asks: 'erase', gets: [...writing, 'notes:erase'] },
  {
    name: 'reading, and asks to sign',
    token: reader,
    asks: ['tools/call', { name: 'sign', arguments: { text: 'x' } }],
    gets: ['notes:read', 'sign:x'],
  },
  {
    name: 'reading, and asks for a prompt',
    token: reader,
    asks: ['prompts/get', { name: 'greet' }],
    gets: writing,
  },
  {
    name: 'reading, and asks for a resource',
    token: reader,
    asks: ['resources/read', { uri: 'memo://one' }],
    gets: writing,
  },
];

const challenged = (header = '') => /scope="([^"]*)"/.exec(header)?.[1]?.split(' ');
let cases = 0;

describe('a token with scopes', () => {
  for (const revision of oneOfEachKind) {
    cases += rows.length;
    it.each(rows.map((row) => [row.name, row] as const))(`%s (${revision.id})`, async (_name, row) => {
      const { asks = 'who', gets, token } = row;
      // Opens the session with a token that has the scopes for it.
      const peer = await place.peer(revision, await town.token(place, { scopes: writing })).open();
      const [method, params] = typeof asks === 'string' ? ['tools/call', { name: asks }] : asks;
      place.notes.ran.length = 0;
      const authorization = `Bearer ${await town.token(place, token)}`;
      const response = await peer.post(peer.speech.request(1, method, params), { authorization });
      if (typeof gets === 'string') return expect(textOf(framesOf(response).at(-1))).toMatch(gets);
      expect({ status: response.status, scopes: challenged(response.headers['www-authenticate']) }).toEqual({
        status: 403,
        scopes: gets,
      });
      expect(response.headers['www-authenticate']).toContain('error="insufficient_scope"');
      if (gets === entry) expect(place.notes.ran).toEqual([]);
      expect(response.body).not.toMatch(/written|erased|signed|Hello|first memo/);
    });
  }
});

describe('a scope computed from the input', () => {
  const texts = ['a b', 'a"b', 'a\\b', 'a\r\nset-cookie: x=y', 'é', '', 'x'.repeat(100_000)];
  for (const revision of oneOfEachKind) {
    cases += texts.length;
    it.each(texts.map((text) => [JSON.stringify(text).slice(0, 30), text] as const))(
      `puts nothing into a header: %s (${revision.id})`,
      async (_name, text) => {
        const peer = await place.peer(revision, await town.token(place, reader)).open();
        const response = await peer.post(peer.speech.call(1, 'sign', { text }));
        expect(response.headers).not.toHaveProperty('set-cookie');
        expect(framesOf(response).at(-1)?.result?.isError ?? true).toBe(true);
        expect(response.body).not.toContain('signed');
        expect((response.headers['www-authenticate'] ?? '').length).toBeLessThan(16_000);
        expect(await peer.call('echo', { text: 'x' })).toBe('x');
      },
    );
  }
});

const sessions: readonly Revision[] = handshakes.filter((one) => one.rules.resumable);

describe('the scopes of a session', () => {
  for (const revision of sessions) {
    cases += 2;
    it(`that was opened with more scopes do not add to those of a request (${revision.id})`, async () => {
      const peer = await place.peer(revision, await town.token(place, { scopes: ['notes:all'] })).open();
      const authorization = `Bearer ${await town.token(place, reader)}`;
      const response = await peer.post(peer.speech.call(1, 'write'), { authorization });
      expect([response.status, response.body.includes('written')]).toEqual([403, false]);
      expect(await peer.call('write')).toBe('written');
    });

    it(`that was opened with fewer scopes do not limit those of a request (${revision.id})`, async () => {
      const peer = await place.peer(revision, await town.token(place, reader)).open();
      expect((await peer.post(peer.speech.call(1, 'write'))).status).toBe(403);
      const authorization = `Bearer ${await town.token(place, { scopes: ['notes:all'] })}`;
      const response = await peer.post(peer.speech.call(1, 'write'), { authorization });
      expect(textOf(framesOf(response).at(-1))).toBe('written');
    });
  }

  for (const revision of sessions.filter((one) => one.rules.batching)) {
    cases++;
    it(`apply inside a batch as outside (${revision.id})`, async () => {
      const peer = await place.peer(revision, await town.token(place, reader)).open();
      const calls = [peer.speech.call(1, 'who'), peer.speech.call(2, 'write'), peer.speech.call(3, 'erase')];
      const response = await peer.post(`[${calls}]`);
      expect(response.body).not.toMatch(/written|erased/);
    });
  }
});
counted('scopes that do not suffice', () => cases);
