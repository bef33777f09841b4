import type { Guard, GuardedRequest, HttpRefusal, Principal } from '@tenon/mcp-protocol';

/** Accepts every caller: `ada@one read write` is Ada of the issuer one, with two scopes. */
export class WordGuard implements Guard {
  readonly documents: ReadonlyMap<string, string> = new Map([['/.well-known/told', '{"told":true}']]);

  admit(request: GuardedRequest): Principal | HttpRefusal {
    const [who, ...scopes] = request.header('authorization')?.split(' ') ?? [];
    if (who === undefined) return { status: 401, headers: { 'www-authenticate': 'Word' } };
    const [id = '', issuer = ''] = who.split('@');
    return { id, issuer, scopes };
  }

  demand(scopes: readonly string[]): HttpRefusal {
    return { status: 403, headers: { 'www-authenticate': `Word scope="${scopes.join(' ')}"` } };
  }
}
