import type { JsonObject } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { type ClaimRules, claimsProblem, verifiedOf } from './token-claims.js';

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

it('verifiedOf returns frozen claims and scopes', () => {
  const { scopes, claims } = verifiedOf({ ...good, scope: 'read' }, rules);
  expect(() => (scopes as string[]).push('admin')).toThrow(TypeError);
  expect(() => Object.assign(claims as object, { sub: 'eve' })).toThrow(TypeError);
});

describe('claimsProblem', () => {
  it.each<[string, JsonObject]>([
    ['one audience', {}],
    ['several audiences', { aud: ['https://other.example', 'https://mcp.example/mcp'] }],
    ['an expiry within the tolerance', { exp: seconds - 29 }],
    ['a start within the tolerance', { nbf: seconds + 30, iat: seconds + 30 }],
    ['a client that calls for itself', { sub: undefined as never, client_id: 'robot' }],
    ['a bound key', { cnf: { jkt: 'thumb' } }],
  ])('accepts %s', (_what, changed) => {
    const claims = JSON.parse(JSON.stringify({ ...good, ...changed })) as JsonObject;
    expect(claimsProblem(claims, rules, now)).toBeUndefined();
  });

  it.each<[string, { [claim: string]: unknown }, string]>([
    ['an issuer with a trailing slash', { iss: 'https://auth.example/' }, 'not issued by'],
    ['an issuer in upper case', { iss: 'https://AUTH.example' }, 'not issued by'],
    ['a list of issuers', { iss: ['https://auth.example'] }, 'not issued by'],
    ['no issuer', { iss: undefined }, 'not issued by'],
    ['another audience', { aud: 'https://other.example' }, 'another server'],
    ['an audience that begins with the resource', { aud: 'https://mcp.example/mcp/v2' }, 'another server'],
    ['an audience that ours begins with', { aud: 'https://mcp.example/' }, 'another server'],
    ['an audience that holds ours', { aud: 'x https://mcp.example/mcp' }, 'another server'],
    ['an audience in capitals', { aud: 'https://MCP.example/mcp' }, 'another server'],
    ['an audience inside a list', { aud: [['https://mcp.example/mcp']] }, 'another server'],
    ['an audience as an object', { aud: { 0: 'https://mcp.example/mcp' } }, 'another server'],
    ['no audience', { aud: undefined }, 'no audience (aud)'],
    ['an empty list of audiences', { aud: [] }, 'no audience (aud)'],
    ['no expiry', { exp: undefined }, 'no expiry (exp)'],
    ['an expiry as text', { exp: '9999999999' }, 'malformed'],
    ['an expiry beyond numbers', { exp: Number.POSITIVE_INFINITY }, 'malformed'],
    ['an expiry that is past', { exp: seconds - 30 }, 'has expired'],
    ['a start to come', { nbf: seconds + 31 }, 'not valid yet'],
    ['an issue in the future', { iat: seconds + 31 }, 'not valid yet'],
    ['an issue that is no time', { iat: 'yesterday' }, 'malformed'],
    ['no caller', { sub: undefined }, 'does not identify its caller'],
    ['an empty caller', { sub: '', client_id: 'robot' }, 'does not identify its caller'],
    ['a caller that is not a string', { sub: 7 }, 'does not identify its caller'],
    ['a certificate', { cnf: { 'x5t#S256': 'thumb' } }, 'cannot check'],
    ['a key and a certificate', { cnf: { jkt: 'thumb', 'x5t#S256': 'thumb' } }, 'cannot check'],
    ['an empty confirmation', { cnf: {} }, 'cannot check'],
  ])('rejects %s', (_what, changed, problem) => {
    expect(claimsProblem({ ...good, ...changed } as JsonObject, rules, now)).toContain(problem);
  });

  it('requires further claims', () => {
    const strict = { ...rules, requiredClaims: ['tenant'] };
    expect(claimsProblem(good, strict, now)).toBe('The token lacks the claim tenant.');
    expect(claimsProblem({ ...good, tenant: 'a' }, strict, now)).toBeUndefined();
  });

  it('accepts missing optional claims, and checks them if they are there', () => {
    const lenient: ClaimRules = { ...rules, optional: new Set(['iss', 'aud', 'exp'] as const) };
    expect(claimsProblem({ sub: 'alice' }, lenient, now)).toBeUndefined();
    expect(claimsProblem({ sub: 'alice', iss: 'https://evil.example' }, lenient, now)).toContain(
      'not issued by',
    );
    expect(claimsProblem({ sub: 'alice', aud: 'https://other.example' }, lenient, now)).toContain('another');
    expect(claimsProblem({ sub: 'alice', exp: seconds - 60 }, lenient, now)).toContain('expired');
  });
});

describe('verifiedOf', () => {
  it('returns caller, client, scopes, key and expiry', () => {
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
    ['the first claim that exists', { scope: 'read', scp: 'write' }, ['read']],
    ['no claim', {}, []],
    ['a claim that is neither a string nor an array', { scope: { read: true } }, []],
  ])('reads scopes from %s', (_what, claims, scopes) => {
    expect(verifiedOf({ ...good, ...claims }, rules).scopes).toEqual(scopes);
  });

  it('uses the client id if there is no user', () => {
    const { sub: _, ...client } = { ...good, azp: 'robot' };
    expect(verifiedOf(client, rules)).toMatchObject({ id: 'robot', clientId: 'robot' });
  });
});
