import { afterEach, describe, expect, it, vi } from 'vitest';
import { openHttp } from '../../client.js';
import type { HttpSender } from './http-sender.js';
import { senderOf } from './sender-choice.js';

const use = { connectWaitMs: 1_000 };
const none: HttpSender = { request: () => expect.unreachable(), close: async () => {} };

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the sender of HTTP requests', () => {
  it('is made by the option sender for the origin', async () => {
    const sender = vi.fn(() => none);
    expect(await senderOf('https://a.example', { sender }, use)).toBe(none);
    expect(sender).toHaveBeenCalledWith('https://a.example', use);
  });

  it('is a pool of connections by default in Node', async () => {
    const fetch = vi.fn();
    vi.stubGlobal('fetch', fetch);
    const sender = await senderOf('http://127.0.0.1:1', {}, use);
    const failed = new Promise((resolve) => {
      const sink = { head: () => {}, chunk: () => {}, end: () => {}, failed: resolve };
      sender.request({ method: 'POST', path: '/mcp', headers: [], body: '{}' }, sink);
    });
    expect(await failed).toMatchObject({ code: 'ECONNREFUSED' });
    expect(fetch).not.toHaveBeenCalled();
    await sender.close();
  });

  it('rejects two senders, and a sender that is not a function', () => {
    const fetch = async () => new Response();
    expect(() => openHttp('https://a.example', { fetch, sender: () => none })).toThrow(
      'Give either fetch, or sender; not both.',
    );
    expect(() => openHttp('https://a.example', { sender: none as never })).toThrow(
      'sender must be a function, such as undiciSender of @tenon/mcp-client/undici.',
    );
  });
});
