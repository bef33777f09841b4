import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chosenModel } from './chosen-model.js';

let requests: IncomingMessage[];
let url: string;
const server = createServer((request, response) => {
  requests.push(request);
  response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
});

beforeEach(async () => {
  requests = [];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterEach(() => {
  vi.unstubAllGlobals();
  return new Promise((resolve) => server.close(resolve));
});

/** Sends a request with the model of a choice, and returns it. */
async function requestOf(choice: Parameters<typeof chosenModel>[0], env: Record<string, string>) {
  const model = chosenModel({ baseUrl: url, ...choice }, env);
  await model.reply({ messages: [], tools: [], toolChoice: 'none' }).catch(() => undefined);
  const [request] = requests;
  if (request === undefined) throw new Error('Nothing was sent.');
  return request;
}

const keys = { OPENAI_API_KEY: 'sk-openai', ANTHROPIC_API_KEY: 'sk-ant' };

describe('chosenModel', () => {
  it('sends no key of a provider to another address', async () => {
    const request = await requestOf({ model: 'qwen3' }, keys);
    expect(request.url).toBe('/v1/chat/completions');
    expect(request.headers.authorization).toBeUndefined();
  });

  it.each([
    'http://api.openai.com/v1',
    'https://api.openai.com:8443/v1',
    'https://api.openai.com.evil.example/v1',
  ])('sends no key of a provider to %s', async (baseUrl) => {
    const sent: Headers[] = [];
    vi.stubGlobal('fetch', async (_: URL, init: RequestInit) => {
      sent.push(new Headers(init.headers));
      return Response.json({ error: { message: 'no' } }, { status: 400 });
    });
    await requestOf({ model: 'qwen3', baseUrl }, keys).catch(() => undefined);
    expect(sent.map((headers) => headers.get('authorization'))).toEqual([null]);
  });

  it('sends TENON_MODEL_KEY to no other machine without https', () => {
    const choice = { model: 'qwen3', baseUrl: 'http://models.example/v1' };
    expect(() => chosenModel(choice, { TENON_MODEL_KEY: 'own' })).toThrow(
      'The key is not sent to http://models.example, because it is not https.',
    );
    expect(() => chosenModel(choice, {})).not.toThrow();
  });

  it('sends TENON_MODEL_KEY to any other address', async () => {
    const request = await requestOf({ model: 'qwen3' }, { ...keys, TENON_MODEL_KEY: 'own' });
    expect(request.headers.authorization).toBe('Bearer own');
  });

  it('uses the format that the name or the option says', async () => {
    expect((await requestOf({ model: 'claude-x' }, {})).url).toBe('/v1/messages');
    requests = [];
    expect((await requestOf({ model: 'claude-x', provider: 'openai' }, {})).url).toBe('/v1/chat/completions');
  });
});
