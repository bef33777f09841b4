import type { Revision } from '@tenon/mcp-protocol';
import { encodeHeaderValue } from '@tenon/mcp-protocol/internal';
import { expect } from 'vitest';
import { type RawHeaders, RawHttp, type RawResponse, requestText } from './raw-http.js';
import { type Frame, Speech, textOf } from './speech.js';

/** A peer of an HTTP server that posts any text. */
export class PostingPeer {
  readonly speech: Speech;
  readonly url: string;
  /** Headers of every request, such as credentials. */
  readonly always: RawHeaders;
  session: string | undefined;
  #http: RawHttp | undefined;
  #received = 0;

  constructor(revision: Revision, url: string, always: RawHeaders = {}) {
    this.speech = new Speech(revision);
    this.url = url;
    this.always = always;
  }

  /** Opens a session, if the revision has sessions. */
  async open(): Promise<this> {
    if (this.speech.revision.lifecycle === 'stateless') return this;
    const opened = await this.post(this.speech.initialize());
    expect(opened.status).toBe(200);
    this.session = opened.headers['mcp-session-id'];
    expect((await this.post(this.speech.notice('notifications/initialized'))).status).toBe(202);
    return this;
  }

  /** Returns the headers a message needs in this revision. */
  headersFor(body: string): RawHeaders {
    const { id, lifecycle, rules } = this.speech.revision;
    const base = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(rules.versionHeader && (this.session !== undefined || lifecycle === 'stateless')
        ? { 'mcp-protocol-version': id }
        : {}),
      ...(this.session !== undefined && { 'mcp-session-id': this.session }),
      ...this.always,
    };
    return rules.mirroredHeaders ? { ...base, ...mirrored(body) } : base;
  }

  /** Returns the text of a POST with this message. */
  text(body: string, headers: RawHeaders = {}): string {
    return requestText('POST /mcp', { ...this.headersFor(body), ...headers }, body);
  }

  /** Posts one message over a connection that stays open. */
  async post(body: string, headers: RawHeaders = {}): Promise<RawResponse> {
    if (this.#http === undefined || this.#http.ended) {
      this.#http = await RawHttp.open(this.url);
      this.#received = 0;
    }
    this.#http.write(this.text(body, headers));
    return this.#http.count(++this.#received);
  }

  /** Calls a tool with a valid request. Returns the text of the result. */
  async call(name: string, input: object = {}): Promise<string | undefined> {
    return textOf(framesOf(await this.post(this.speech.call('honest', name, input))).at(-1));
  }

  async isServed(): Promise<void> {
    expect(await this.call('echo', { text: 'still there' })).toBe('still there');
  }

  close(): void {
    this.#http?.close();
  }
}

/** Returns the messages of a JSON response or an event stream. */
export function framesOf({ headers, body }: RawResponse): Frame[] {
  if (body === '') return [];
  if (headers['content-type'] !== 'text/event-stream') return [JSON.parse(body) as Frame];
  return body
    .split('\n')
    .filter((line) => line.startsWith('data: {') || line.startsWith('data: ['))
    .map((line) => JSON.parse(line.slice(6)) as Frame);
}

const named: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

function mirrored(body: string): RawHeaders {
  let message: { readonly method?: unknown; readonly params?: Record<string, unknown> } | null;
  try {
    message = JSON.parse(body);
  } catch {
    return {};
  }
  const method = message?.method;
  if (typeof method !== 'string') return {};
  const member = Object.hasOwn(named, method) ? named[method] : undefined;
  const name = member === undefined ? undefined : message?.params?.[member];
  return {
    'mcp-method': encodeHeaderValue(method),
    ...(typeof name === 'string' && { 'mcp-name': encodeHeaderValue(name) }),
  };
}
