import type { CarrierFacts, Principal, WorkBounds } from '@tenon/mcp-protocol';
import type { HttpCall } from './http-call.js';
import { isAnonymous } from './scopes-lacking.js';

/** What one POST says besides its message. An exchange is its own facts: one object a request is enough. */
export abstract class CallFacts implements CarrierFacts {
  /** As this request says: the scopes may be others than those of an earlier one. */
  readonly principal: Principal | undefined;
  readonly bounds: WorkBounds | undefined;
  protected readonly call: HttpCall;

  constructor(call: HttpCall, principal: Principal | undefined) {
    this.call = call;
    this.principal = principal;
    this.bounds = call.bounds;
  }

  get facts(): CarrierFacts {
    return this;
  }

  get protocolVersion(): string | undefined {
    return this.call.header('mcp-protocol-version');
  }

  get anonymous(): boolean {
    return isAnonymous(this.call, this.principal);
  }

  get remoteAddress(): string | undefined {
    return this.call.remoteAddress;
  }

  header(name: string): string | undefined {
    return this.call.header(name);
  }
}
