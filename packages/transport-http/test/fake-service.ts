import { MetaKey, type Principal } from '@tenon/mcp-protocol';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import type { FakeClock } from '../../testing/src/fake-clock.js';
import type { HttpOptions } from '../src/server/http-options.js';
import { HttpService } from '../src/server/http-service.js';
import type { EventStore } from '../src/server/streams/event-store.js';
import { FakeApplication } from './fake-application.js';
import { FakeCall, type FakeRequest } from './fake-call.js';

type Headers = Readonly<Record<string, string>>;

/** Headers of every POST. */
export const postHeaders: Headers = {
  host: '127.0.0.1',
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** Returns a request as sent. */
export function request(id: unknown, method: string, params?: object): object {
  return { jsonrpc: '2.0', id, method, ...(params && { params }) };
}

/** Returns a request of the stateless revision, and its header. */
export function stateless(id: unknown, method = 'tools/call', params: object = {}): [object, Headers] {
  const version = revision20260728.id;
  const _meta = { [MetaKey.protocolVersion]: version, [MetaKey.clientCapabilities]: {} };
  return [request(id, method, { ...params, _meta }), { 'mcp-protocol-version': version }];
}

/** Returns the message that opens a session. */
export function opening(revision: string = revision20251125.id): object {
  const clientInfo = { name: 'test', version: '1' };
  return request(0, 'initialize', { protocolVersion: revision, capabilities: {}, clientInfo });
}

/** An endpoint with a fake application, and functions that call it. */
export class FakeService {
  readonly application: FakeApplication;
  readonly service: HttpService;

  constructor(
    options: HttpOptions = {},
    application: FakeApplication = new FakeApplication(),
    events?: EventStore,
  ) {
    this.application = application;
    this.service = new HttpService(application, options, events);
  }

  get clock(): FakeClock {
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

  /** Opens a session in a process that shares state. Returns the headers with the session id. */
  async opened(revision?: string, principal?: Principal): Promise<Headers> {
    const { sent } = await this.post(opening(revision), {}, principal).done();
    return { 'mcp-session-id': sent['mcp-session-id'] as string };
  }

  /** Opens a session. Returns the headers with the session id. */
  open(revision?: string, principal?: Principal): Headers {
    const { sent } = this.post(opening(revision), {}, principal);
    return { 'mcp-session-id': sent['mcp-session-id'] as string };
  }
}
