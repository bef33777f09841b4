import { BoundedLog } from '../../bounded.js';
import { grantTypes } from './form.js';
import type { RecordedRequest, TestEndpoint } from './recorded-request.js';

const knownTypes = new Set<string>(Object.values(grantTypes));

/** The newest requests, and the number of requests of each kind. */
export class RequestLog {
  readonly #requests: BoundedLog<RecordedRequest>;
  readonly #byEndpoint = new Map<TestEndpoint, number>();
  readonly #byGrantType = new Map<string, number>();

  constructor(most: number) {
    this.#requests = new BoundedLog(most);
  }

  get requests(): readonly RecordedRequest[] {
    return this.#requests.entries;
  }

  add(request: RecordedRequest): void {
    const { endpoint, params } = request;
    this.#requests.add(request);
    this.#byEndpoint.set(endpoint, this.count(endpoint) + 1);
    const { grant_type: type = '' } = params;
    // Unknown types share one counter: a client could send any number of them.
    if (endpoint === 'token' && knownTypes.has(type))
      this.#byGrantType.set(type, this.tokenRequests(type) + 1);
  }

  count(endpoint: TestEndpoint): number {
    return this.#byEndpoint.get(endpoint) ?? 0;
  }

  tokenRequests(grantType?: string): number {
    return grantType === undefined ? this.count('token') : (this.#byGrantType.get(grantType) ?? 0);
  }
}
