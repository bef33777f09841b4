import type { Guard, GuardTarget } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { protect, ResourceGuard } from './resource-guard.js';
import type { ResourceGuardOptions } from './resource-guard-options.js';

/** A server that can be guarded. */
class Target implements GuardTarget {
  readonly guards: Guard[] = [];

  guard(guard: Guard): this {
    this.guards.push(guard);
    return this;
  }
}

const options: ResourceGuardOptions = {
  resource: 'https://mcp.example.com/mcp',
  authorizationServers: ['https://auth.example.com'],
  verify: () => undefined,
};

/** Returns the documents of a server with these options. */
function published(given: Partial<ResourceGuardOptions> = {}): Record<string, unknown> {
  const { documents } = new ResourceGuard({ ...options, ...given });
  return Object.fromEntries([...documents].map(([path, text]) => [path, JSON.parse(text)]));
}

describe('protect', () => {
  it('guards the server, and returns it', () => {
    const target = new Target();
    expect(protect(target, options)).toBe(target);
    expect(target.guards).toEqual([expect.any(ResourceGuard)]);
  });

  it.each([undefined, null, {}, () => undefined])('rejects %j', (odd) => {
    expect(() => protect(odd as never, options)).toThrow(/requires a server of createServer/);
  });

  it.each<[object, RegExp]>([
    [{ resource: undefined }, /needs resource/],
    [{ resource: 'mcp.example.com' }, /"mcp.example.com" must be a URL that begins with https/],
    [{ resource: 'http://mcp.example.com/mcp' }, /begins with https/],
    [{ resource: 'http://192.168.0.1/mcp' }, /begins with https/],
    [{ resource: 'ftp://mcp.example.com/mcp' }, /begins with https/],
    [{ resource: 'https://mcp.example.com/mcp#x' }, /without query, fragment/],
    [{ resource: 'https://mcp.example.com/mcp#' }, /without query, fragment/],
    [{ resource: 'https://mcp.example.com/mcp?tenant=1' }, /without query, fragment/],
    [{ resource: 'https://user@mcp.example.com/mcp' }, /and user name/],
    [{ resource: 'https://MCP.example.com/mcp' }, /write "https:\/\/mcp.example.com\/mcp"/],
    [{ resource: 'https://mcp.example.com:443/mcp' }, /write "https:\/\/mcp.example.com\/mcp"/],
    [{ resource: 'https://mcp.example.com/a/../mcp' }, /write "https:\/\/mcp.example.com\/mcp"/],
    [{ resource: 'https://mcp.example.com/"' }, /write "https:\/\/mcp.example.com\/%22"/],
    [{ authorizationServers: undefined }, /needs authorizationServers/],
    [{ authorizationServers: [] }, /at least one issuer/],
    [{ authorizationServers: 'https://auth.example.com' }, /at least one issuer/],
    [
      { authorizationServers: ['http://auth.example.com'] },
      /authorizationServers: "http:.*begins with https/,
    ],
    [{ authorizationServers: ['https://auth.example.com/?x'] }, /without query/],
    [{ verify: undefined }, /needs verify/],
    [{ verify: {} }, /verify must be a function/],
    [{ scopes: ['offline_access'] }, /offline_access/],
    [{ scopes: 'notes' }, /scopes must be a list of scopes, or/],
    [{ realm: 'a"b' }, /realm must be a text of printable ASCII/],
    [{ resourceDocumentation: 'javascript:alert(1)' }, /must be a URL/],
    [{ dpop: {} }, /dpop must be a proof check/],
    [{ dpop: { algs: ['"'], check: () => undefined } }, /dpop must be a proof check/],
    [{ dpopRequired: true }, /dpopRequired needs "dpop"/],
    [{ authorizationServerMetadata: {} }, /with its "issuer"/],
    [{ audience: 'x' }, /no option "audience"/],
  ])('rejects the options %j', (given, message) => {
    expect(() => protect(new Target(), { ...options, ...given } as ResourceGuardOptions)).toThrow(message);
  });

  it.each([
    'https://mcp.example.com',
    'https://mcp.example.com/',
    'https://mcp.example.com:8443/a/b',
    'https://mcp.example.com/@team/mcp',
    'http://localhost:3000/mcp',
    'http://127.0.0.1:3000/mcp',
    'http://[::1]:3000/mcp',
  ])('accepts the resource %s', (resource) => {
    expect(() => protect(new Target(), { ...options, resource })).not.toThrow();
  });
});

describe('metadata of a protected server', () => {
  it('contains the resource, its issuers, and the methods to send a token', () => {
    expect(published()).toEqual({
      '/.well-known/oauth-protected-resource/mcp': {
        resource: 'https://mcp.example.com/mcp',
        authorization_servers: ['https://auth.example.com'],
        bearer_methods_supported: ['header'],
      },
    });
  });

  it('contains all options', () => {
    const dpop = { algs: ['ES256', 'EdDSA'], check: () => undefined };
    const [document] = Object.values(
      published({
        authorizationServers: ['https://auth.example.com', 'https://other.example.com/tenant'],
        scopes: { required: ['a'], supported: ['a', 'b'] },
        dpop,
        dpopRequired: true,
        resourceName: 'Notes',
        resourceDocumentation: 'https://example.com/docs',
      }),
    );
    expect(document).toEqual({
      resource: 'https://mcp.example.com/mcp',
      authorization_servers: ['https://auth.example.com', 'https://other.example.com/tenant'],
      scopes_supported: ['a', 'b'],
      bearer_methods_supported: ['header'],
      resource_name: 'Notes',
      resource_documentation: 'https://example.com/docs',
      dpop_signing_alg_values_supported: ['ES256', 'EdDSA'],
      dpop_bound_access_tokens_required: true,
    });
  });

  it.each([
    ['https://mcp.example.com', '/.well-known/oauth-protected-resource'],
    ['https://mcp.example.com/', '/.well-known/oauth-protected-resource'],
    ['https://mcp.example.com/a/b', '/.well-known/oauth-protected-resource/a/b'],
    ['https://mcp.example.com/mcp/', '/.well-known/oauth-protected-resource/mcp/'],
  ])('for %s is served only at %s, with exactly that resource', (resource, path) => {
    expect(published({ resource })).toEqual({ [path]: expect.objectContaining({ resource }) });
  });

  it('includes metadata of the authorization server for clients that look only for that', () => {
    const authorizationServerMetadata = {
      issuer: 'https://mcp.example.com',
      token_endpoint: 'https://x.example/t',
    };
    expect(published({ authorizationServerMetadata })['/.well-known/oauth-authorization-server']).toEqual(
      authorizationServerMetadata,
    );
  });
});
