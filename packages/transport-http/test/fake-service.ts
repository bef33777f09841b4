import { MetaKey, type Principal } from '@tenon/mcp-protocol';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import type { HttpOptions } from '../src/server/endpoint/http-options.js';
import { HttpService } from '../src/server/endpoint/http-service.js';
import { FakeApplication } from './fake-application.js';
import { FakeCall, type FakeRequest } from './fake-call.js';
import type { ManualClock } from './manual-clock.js';

type Headers = Readonly<Record<string, string>>;

/** Headers every POST brings. */
export const postHeaders: Headers = {
  host: '127.0.0.1',
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** A request as it stands on the wire. */
export function request(id: unknown, method: string, params?: object): object {
  return { jsonrpc: '2.0', id, method, ...(params && { params }) };
}

/** A request of the stateless revision, and the header that goes with it. */
export function stateless(id: unknown, method = 'tools/call', params: object = {}): [object, Headers] {
  const version = revision20260728.id;
  const _meta = { [MetaKey.protocolVersion]: version, [MetaKey.clientCapabilities]: {} };
  return [request(id, method, { ...params, _meta }), { 'mcp-protocol-version': version }];
}

/** The message that opens a session. */
export function opening(revision: string = revision20251125.id): object {
  const clientInfo = { name: 'test', version: '1' };
  return request(0, 'initialize', { protocolVersion: revision, capabilities: {}, clientInfo });
}

/** An endpoint on a fake application, and the calls a client makes of it. */
export class FakeService {
  readonly application: FakeApplication;
  readonly service: HttpService;

  constructor(options: HttpOptions = {}, application: FakeApplication = new FakeApplication()) {
    this.application = application;
    this.service = new HttpService(application, options);
  }

  get clock(): ManualClock {
    return this.application.clock;
  }

  get errors(): FakeApplication['errors'] {
    return this.application.errors;
  }

  call(given: FakeRequest, principal?: Principal): FakeCall {
    const call = new FakeCall(given);
    this.service.handle(call, principal);
    return call;
  }

  post(value: unknown, headers: Headers = {}, principal?: Principal): FakeCall {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return this.call({ text, headers: { ...postHeaders, ...headers } }, principal);
  }

  get(headers: Headers, principal?: Principal): FakeCall {
    return this.call({ method: 'GET', headers: { accept: 'text/event-stream', ...headers } }, principal);
  }

  delete(headers: Headers, principal?: Principal): FakeCall {
    return this.call({ method: 'DELETE', headers }, principal);
  }

  /** Opens a session where a store keeps it; returns the headers that name it. */
  async opened(revision?: string, principal?: Principal): Promise<Headers> {
    const { sent } = await this.post(opening(revision), {}, principal).done();
    return { 'mcp-session-id': sent['mcp-session-id'] as string };
  }

  /** Opens a session; returns the headers that name it. */
  open(revision?: string, principal?: Principal): Headers {
    const { sent } = this.post(opening(revision), {}, principal);
    return { 'mcp-session-id': sent['mcp-session-id'] as string };
  }
}
