import type { JsonObject } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { type ClaimRules, claimsFlaw, verifiedOf } from './token-claims.js';

const now = 1_800_000_000_000;
const seconds = now / 1_000;

const rules: ClaimRules = {
  issuer: 'https://auth.example',
  audiences: ['https://mcp.example/mcp'],
  clockTolerance: 30_000,
  requiredClaims: [],
  scopeClaims: ['scope', 'scp'],
  optional: new Set(),
};

const good = { iss: 'https://auth.example', aud: 'https://mcp.example/mcp', sub: 'alice', exp: seconds + 60 };

it('hands out what no handler can change for those who show the token next', () => {
  const { scopes, claims } = verifiedOf({ ...good, scope: 'read' }, rules);
  expect(() => (scopes as string[]).push('admin')).toThrow(TypeError);
  expect(() => Object.assign(claims as object, { sub: 'eve' })).toThrow(TypeError);
});

describe('claimsFlaw', () => {
  it.each<[string, JsonObject]>([
    ['one audience', {}],
    ['several audiences', { aud: ['https://other.example', 'https://mcp.example/mcp'] }],
    ['an expiry within the tolerance', { exp: seconds - 29 }],
    ['a start within the tolerance', { nbf: seconds + 30, iat: seconds + 30 }],
    ['a client that calls on nobody\u0027s behalf', { sub: undefined as never, client_id: 'robot' }],
    ['a bound key', { cnf: { jkt: 'thumb' } }],
  ])('finds nothing wrong with %s', (_what, changed) => {
    const claims = JSON.parse(JSON.stringify({ ...good, ...changed })) as JsonObject;
    expect(claimsFlaw(claims, rules, now)).toBeUndefined();
  });

  it.each<[string, { [claim: string]: unknown }, string]>([
    ['an issuer with a slash', { iss: 'https://auth.example/' }, 'not issued by'],
    ['an issuer in capitals', { iss: 'https://AUTH.example' }, 'not issued by'],
    ['a list of issuers', { iss: ['https://auth.example'] }, 'not issued by'],
    ['no issuer', { iss: undefined }, 'not issued by'],
    ['another audience', { aud: 'https://other.example' }, 'another server'],
    ['an audience that begins like ours', { aud: 'https://mcp.example/mcp/v2' }, 'another server'],
    ['an audience that ours begins with', { aud: 'https://mcp.example/' }, 'another server'],
    ['an audience that holds ours', { aud: 'x https://mcp.example/mcp' }, 'another server'],
    ['an audience in capitals', { aud: 'https://MCP.example/mcp' }, 'another server'],
    ['an audience inside a list', { aud: [['https://mcp.example/mcp']] }, 'another server'],
    ['an audience as an object', { aud: { 0: 'https://mcp.example/mcp' } }, 'another server'],
    ['no audience', { aud: undefined }, 'which server'],
    ['an empty list of audiences', { aud: [] }, 'which server'],
    ['no expiry', { exp: undefined }, 'when it expires'],
    ['an expiry as text', { exp: '9999999999' }, 'not understood'],
    ['an expiry beyond numbers', { exp: Number.POSITIVE_INFINITY }, 'not understood'],
    ['an expiry that is past', { exp: seconds - 30 }, 'has expired'],
    ['a start to come', { nbf: seconds + 31 }, 'not valid yet'],
    ['an issue in the future', { iat: seconds + 31 }, 'not valid yet'],
    ['an issue that is no time', { iat: 'yesterday' }, 'not understood'],
    ['no caller', { sub: undefined }, 'who is calling'],
    ['an empty caller', { sub: '', client_id: 'robot' }, 'who is calling'],
    ['a caller that is no text', { sub: 7 }, 'who is calling'],
    ['a certificate', { cnf: { 'x5t#S256': 'thumb' } }, 'cannot be proven'],
    ['a key and a certificate', { cnf: { jkt: 'thumb', 'x5t#S256': 'thumb' } }, 'cannot be proven'],
    ['a confirmation that is none', { cnf: {} }, 'cannot be proven'],
  ])('refuses %s', (_what, changed, told) => {
    expect(claimsFlaw({ ...good, ...changed } as JsonObject, rules, now)).toContain(told);
  });

  it('asks for further claims', () => {
    const strict = { ...rules, requiredClaims: ['tenant'] };
    expect(claimsFlaw(good, strict, now)).toBe('The token lacks the claim tenant.');
    expect(claimsFlaw({ ...good, tenant: 'a' }, strict, now)).toBeUndefined();
  });

  it('does without what is optional, and still looks at it where it is there', () => {
    const lenient: ClaimRules = { ...rules, optional: new Set(['iss', 'aud', 'exp'] as const) };
    expect(claimsFlaw({ sub: 'alice' }, lenient, now)).toBeUndefined();
    expect(claimsFlaw({ sub: 'alice', iss: 'https://evil.example' }, lenient, now)).toContain(
      'not issued by',
    );
    expect(claimsFlaw({ sub: 'alice', aud: 'https://other.example' }, lenient, now)).toContain('another');
    expect(claimsFlaw({ sub: 'alice', exp: seconds - 60 }, lenient, now)).toContain('expired');
  });
});

describe('verifiedOf', () => {
  it('tells who calls, with what, and until when', () => {
    const claims = { ...good, client_id: 'app', scope: 'read  write', cnf: { jkt: 'thumb' } };
    expect(verifiedOf(claims, rules)).toEqual({
      id: 'alice',
      issuer: 'https://auth.example',
      clientId: 'app',
      scopes: ['read', 'write'],
      expiresAt: now + 60_000 + 30_000,
      boundKey: 'thumb',
      claims,
    });
  });

  it.each<[string, JsonObject, string[]]>([
    ['a list', { scp: ['read', 'write', 7] }, ['read', 'write']],
    ['the first that is there', { scope: 'read', scp: 'write' }, ['read']],
    ['nothing', {}, []],
    ['what is neither text nor list', { scope: { read: true } }, []],
  ])('reads scopes from %s', (_what, claims, scopes) => {
    expect(verifiedOf({ ...good, ...claims }, rules).scopes).toEqual(scopes);
  });

  it('names the client where there is no user', () => {
    const { sub: _, ...client } = { ...good, azp: 'robot' };
    expect(verifiedOf(client, rules)).toMatchObject({ id: 'robot', clientId: 'robot' });
  });
});
