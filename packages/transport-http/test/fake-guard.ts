import type { Guard, GuardedRequest, HttpRefusal, Principal } from '@tenon/mcp-protocol';

/** A guard that accepts any name in `Authorization` as the principal. */
export class FakeGuard implements Guard {
  readonly documents: ReadonlyMap<string, string> = new Map([['/.well-known/known', '{"known":true}']]);
  /** The requests it has checked. */
  readonly asked: GuardedRequest[] = [];

  admit(request: GuardedRequest): ReturnType<Guard['admit']> {
    this.asked.push(request);
    const id = request.header('authorization');
    return id === undefined ? { status: 401, headers: { 'www-authenticate': 'Fake' } } : { id };
  }

  demand(scopes: readonly string[], principal: Principal | undefined): HttpRefusal {
    const challenge = `Fake scope="${scopes.join(' ')}", user="${principal?.id}"`;
    return { status: 403, headers: { 'www-authenticate': challenge } };
  }
}
