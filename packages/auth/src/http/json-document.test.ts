import { expect, test } from 'vitest';
import { ScriptedHttp } from '../../test/http/scripted-http.js';
import { getJsonDocument } from './json-document.js';

const url = new URL('https://auth.example/.well-known/x?y=1');

function get(body: unknown, { status = 200, type = 'application/json' } = {}) {
  const http = new ScriptedHttp().on(url.href, { status, body, headers: { 'content-type': type } });
  return getJsonDocument({ url, http });
}

test('accepts a JSON object', async () => {
  expect(await get({ a: [1] })).toEqual({ found: { a: [1] } });
  expect(await get({ a: 1 }, { type: 'application/oauth+json' })).toEqual({ found: { a: 1 } });
  expect(await get({ a: 1 }, { type: '' })).toEqual({ found: { a: 1 } });
});

test('reports an absent document for 4xx, and for a start page', async () => {
  for (const status of [201, 204, 302, 304, 400, 401, 403, 404, 405, 410, 451]) {
    expect(await get({ a: 1 }, { status })).toEqual({ absent: `status ${status}` });
  }
  expect(await get('<html>', { type: 'text/html' })).toEqual({ absent: 'not JSON, but text/html' });
  expect(await get({ a: 1 }, { type: 'text/html' })).toEqual({ absent: 'not JSON, but text/html' });
  for (const body of ['Not found', '[]', '"a"', '']) {
    expect(await get(body, { type: 'text/plain' })).toEqual({ absent: 'not JSON, but text/plain' });
  }
});

test.each(['text/plain', 'application/octet-stream', 'application/json, application/json', 'text/json'])(
  'accepts a JSON object of the type %s',
  async (type) => {
    expect(await get({ a: 1 }, { type })).toEqual({ found: { a: 1 } });
  },
);

test('throws for temporary failures', async () => {
  for (const status of [408, 425, 429, 500, 502, 503, 504]) {
    await expect(get({ a: 1 }, { status })).rejects.toMatchObject({
      reason: 'unreachable',
      answerStatus: status,
    });
  }
});

test('throws for malformed JSON, without quoting it', async () => {
  const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`;
  const bottomless = '['.repeat(100_000) + ']'.repeat(100_000);
  for (const body of ['{"secret": s3cret', '[]', '"s3cret"', 'null', '', deep, `{"a":${bottomless}}`]) {
    const failure = await get(body).catch((error: unknown) => error);
    expect(failure, body.slice(0, 20)).toMatchObject({ reason: 'unreachable' });
    const shown = JSON.stringify(failure, Object.getOwnPropertyNames(failure));
    expect(shown).toContain('https://auth.example/.well-known/x');
    expect(shown).not.toContain('s3cret');
  }
});

test('reads __proto__ as an ordinary member', async () => {
  const { found } = await get('{"__proto__": {"issuer": "https://evil.example"}, "a": 1}');
  expect(found?.issuer).toBeUndefined();
  expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
  expect(({} as { issuer?: string }).issuer).toBeUndefined();
});
