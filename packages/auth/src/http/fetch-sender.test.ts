import { expect, test } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import type { OauthFetch } from './fetch-sender.js';
import { type SafeHttpOptions, safeHttp } from './safe-http.js';

const url = new URL('https://auth.example/x');

function http(fetch: OauthFetch, options: Partial<SafeHttpOptions> = {}) {
  return safeHttp({ server: new URL('https://mcp.example'), fetch, ...options });
}

test('passes options to fetch that prevent redirects and cookies', async () => {
  const calls: { readonly url: string; readonly init: RequestInit }[] = [];
  const fetch: OauthFetch = async (to, init) => {
    calls.push({ url: to, init });
    return Response.json({ a: 1 }, { status: 201 });
  };
  const answer = await http(fetch).send({ method: 'POST', url, headers: { 'x-own': 'yes' }, body: 'a=b' });
  expect(answer).toMatchObject({ status: 201, mediaType: 'application/json', text: '{"a":1}' });
  expect(calls).toMatchObject([
    {
      url: url.href,
      init: {
        method: 'POST',
        body: 'a=b',
        redirect: 'manual',
        credentials: 'omit',
        headers: { 'x-own': 'yes', 'accept-encoding': 'identity' },
      },
    },
  ]);
});

test('checks addresses in URLs, also after a redirect', async () => {
  const asked: string[] = [];
  const fetch: OauthFetch = async (to) => {
    asked.push(to);
    return new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/' } });
  };
  const given = http(fetch);
  const forbidden = { reason: 'forbidden-address' };
  for (const bad of ['https://10.0.0.1/', 'http://localhost/', 'http://auth.example/', url.href]) {
    await expect(given.send({ method: 'GET', url: new URL(bad) }), bad).rejects.toMatchObject(forbidden);
  }
  expect(asked).toEqual([url.href]);
});

test('rejects a hidden redirect, and one that fetch followed', async () => {
  const answer = (members: object): OauthFetch => {
    const response = new Response('{}');
    for (const [name, value] of Object.entries(members)) Object.defineProperty(response, name, { value });
    return async () => response;
  };
  const hidden = http(answer({ type: 'opaqueredirect' })).send({ method: 'GET', url });
  await expect(hidden).rejects.toThrow(/this runtime does not say where to/);
  const followed = http(answer({ url: 'https://10.0.0.1/' })).send({ method: 'GET', url });
  await expect(followed).rejects.toThrow('followed a redirect away from https://auth.example');
});

test('stops reading past the bound, and cancels the body', async () => {
  let cancelled = false;
  const fetch: OauthFetch = async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1_000).fill(120)),
      cancel: () => {
        cancelled = true;
      },
    });
    return new Response(body);
  };
  const sent = http(fetch, { bytes: 5_000 }).send({ method: 'GET', url });
  await expect(sent).rejects.toThrow(/more than 5000 bytes/);
  expect(cancelled).toBe(true);
});

test('applies the time limit to a fetch that ignores its signal', async () => {
  const clock = new FakeClock();
  const sent = http(() => new Promise(() => {}), { clock, timeout: 50 }).send({
    method: 'GET',
    url,
  });
  const outcome = expect(sent).rejects.toThrow('https://auth.example did not answer within 50 ms.');
  await clock.advance(50);
  await outcome;
});

test('repeats a GET without headers if a browser blocks it, but not a POST', async () => {
  const sent: (readonly [string, string[]])[] = [];
  const fetch: OauthFetch = async (_, { method, headers }) => {
    const names = Object.keys(headers ?? {});
    sent.push([method ?? '', names]);
    if (names.includes('x-own')) throw new TypeError('Failed to fetch');
    return new Response('{}');
  };
  const headers = { 'x-own': 'yes' };
  expect(await http(fetch).send({ method: 'GET', url, headers })).toMatchObject({ status: 200 });
  const post = http(fetch).send({ method: 'POST', url, headers, body: 'a=b' });
  await expect(post).rejects.toThrow('https://auth.example cannot be reached.');
  expect(sent.map(([method]) => method)).toEqual(['GET', 'GET', 'POST']);
  expect(sent[1]?.[1]).toEqual(['accept']);
});
