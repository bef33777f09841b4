import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../testing/src/fake-clock.js';
import { type EndpointAnswer, events, json, modelEndpoint } from '../../../test/model-endpoint.js';
import type { ModelRequest } from '../model.js';
import { anthropicModel } from './anthropic-model.js';
import type { ModelOptions } from './endpoint.js';
import { openAiModel } from './openai-model.js';

const request: ModelRequest = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  tools: [],
  toolChoice: 'auto',
};
const key = 'sk-secret-0123456789abcdef';
const good = json({ choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] });
const busy = (status: number, headers = {}) => json({ error: { message: 'Slow down' } }, status, headers);

async function started(answers: readonly EndpointAnswer[], options: Partial<ModelOptions> = {}) {
  const { url, requests } = await modelEndpoint(...answers);
  return { requests, model: openAiModel({ model: 'm', baseUrl: url, key, ...options }) };
}

describe('an endpoint that is busy', () => {
  it('is tried again after the time it demands', async () => {
    const clock = new FakeClock();
    const { model, requests } = await started([busy(429, { 'retry-after': '7' }), busy(503), good], {
      clock,
    });
    const reply = model.reply(request);
    await clock.armed(7_000);
    await clock.advance(7_000);
    // Without a demand, waits double from half a second.
    await clock.armed(1_000);
    await clock.advance(1_000);
    expect((await reply).content).toEqual([{ type: 'text', text: 'Hello' }]);
    expect(requests).toHaveLength(3);
  });

  it('is tried again at the date it demands, by its own clock', async () => {
    const clock = new FakeClock();
    // Both dates are in the past: the clock of this machine does not matter.
    const headers = {
      date: 'Wed, 21 Oct 2015 07:28:00 GMT',
      'retry-after': 'Wed, 21 Oct 2015 07:28:09 GMT',
    };
    const { model, requests } = await started([busy(503, headers), good], { clock });
    const reply = model.reply(request);
    await clock.armed(9_000);
    await clock.advance(9_000);
    await reply;
    expect(requests).toHaveLength(2);
  });

  it('is given up after the retries, with the time of the next attempt', async () => {
    const clock = new FakeClock();
    const { model, requests } = await started([busy(429, { 'retry-after': '2' })], { clock });
    const reply = model.reply(request);
    const failed = expect(reply).rejects.toMatchObject({
      name: 'ModelError',
      reason: 'rate-limited',
      status: 429,
      retryAfter: 2_000,
      message: expect.stringMatching(
        /^The model "m" at http.* has no capacity .*"Slow down"\. Try again later\.$/,
      ),
    });
    for (const attempt of [1, 2]) {
      await clock.armed(2_000);
      expect(requests).toHaveLength(attempt);
      await clock.advance(2_000);
    }
    await failed;
    expect(requests).toHaveLength(3);
  });

  it.each([
    ['demands more than a minute', busy(429, { 'retry-after': '61' }), 61_000],
    ['reports a quota that is used up', json({ error: { code: 'insufficient_quota' } }, 429), undefined],
    [
      'reports a budget that is used up',
      json({ error: { details: { error_code: 'enforced_spend_limit_reached' } } }, 429),
      undefined,
    ],
  ])('is not tried again when it %s', async (_, answer, retryAfter) => {
    const { model, requests } = await started([answer]);
    await expect(model.reply(request)).rejects.toMatchObject({ reason: 'rate-limited', retryAfter });
    expect(requests).toHaveLength(1);
  });

  it('is not tried again when the caller cancels meanwhile', async () => {
    const clock = new FakeClock();
    const { model, requests } = await started([busy(500)], { clock });
    const stop = new AbortController();
    const reply = expect(model.reply(request, { signal: stop.signal })).rejects.toMatchObject({
      reason: 'cancelled',
      cause: 'enough',
    });
    await clock.armed(500);
    stop.abort('enough');
    await reply;
    expect(requests).toHaveLength(1);
    expect(clock.waiting).toEqual([]);
  });
});

describe('an error', () => {
  it.each([
    [400, 'rejected', 'Change the request'],
    [401, 'rejected', 'Check the key'],
    [404, 'rejected', 'Check the name of the model'],
    [413, 'too-large', 'Shorten the conversation'],
    [500, 'unreachable', 'Try again later'],
  ])('of HTTP %i is %s', async (status, reason, advice) => {
    const { model } = await started([
      json({ error: { message: 'Because.' } }, status, { 'retry-after': '61' }),
    ]);
    const message = expect.stringMatching(new RegExp(`"Because\\."\\. ${advice}`));
    await expect(model.reply(request)).rejects.toMatchObject({ reason, status, message });
  });

  it('has no key, no control characters, and a bounded text of the endpoint', async () => {
    const headers = { 'x-team': 'team-secret-1' };
    const text = `\u001b[31mIncorrect key ${key.slice(0, 9)}\u202e${key.slice(9)} of team-secret-1 ${'x'.repeat(9_000)}`;
    const { model } = await started([json({ error: { message: text } }, 401)], { headers });
    const error = (await model.reply(request).catch((reason: unknown) => reason)) as Error;
    expect(error.message).toContain('Incorrect key [redacted] of [redacted] xxx');
    for (const hidden of ['secret', '\u001b', '\u202e']) expect(error.message).not.toContain(hidden);
    expect(error.message.length).toBeLessThan(800);
    expect(error.cause).toBeUndefined();
  });

  it('quotes texts of other shapes, but no pages of proxies', async () => {
    const { model } = await started([json({ detail: 'Not so' }, 422), json('<html>secret</html>', 400)]);
    await expect(model.reply(request)).rejects.toThrow('"Not so"');
    await expect(model.reply(request)).rejects.toThrow(/\(HTTP 400\)\. Change/);
  });

  it('is read up to 65,536 bytes', async () => {
    const { model } = await started([json({ error: { message: 'é'.repeat(40_000) } }, 400)]);
    // The JSON has no end, so the text is quoted as it is.
    await expect(model.reply(request)).rejects.toThrow('"{"error":{"message":"éé');
  });

  it('of an endpoint that does not run names the address', async () => {
    const { url } = await modelEndpoint(good);
    const port = Number(new URL(url).port);
    const model = openAiModel({
      model: 'm',
      baseUrl: `${url}/v1?code=hidden`,
      fetch: () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })),
    });
    const error = (await model.reply(request).catch((reason: unknown) => reason)) as Error;
    expect(error).toMatchObject({ reason: 'unreachable' });
    expect(error.message).toContain(
      `at http://127.0.0.1:${port}/v1/chat/completions cannot be reached (ECONNREFUSED)`,
    );
  });

  it('of a connection that breaks within the reply is unreachable', async () => {
    const { model } = await started([
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '999' });
        response.write('{"choices"');
        response.socket?.destroySoon();
      },
    ]);
    await expect(model.reply(request)).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it.each([
    ['a page', json('<html></html>'), 'something other than a JSON object'],
    ['no message', json({ choices: [] }), 'a reply without a message'],
    ['half a stream', events([{ choices: [{ delta: { content: 'Hel' } }] }]), 'ends within the reply'],
  ])('of an endpoint that sends %s is invalid-answer', async (_, answer, message) => {
    const { model } = await started([answer]);
    await expect(model.reply(request, { onText: () => {} })).rejects.toMatchObject({
      reason: 'invalid-answer',
      message: expect.stringContaining(message),
    });
  });

  it('in a response with status 200 is an error', async () => {
    const { model } = await started([json({ error: { message: 'No provider', code: 502 } })]);
    await expect(model.reply(request)).rejects.toMatchObject({
      reason: 'rejected',
      message: expect.stringContaining('No provider'),
    });
  });
});

describe('limits', () => {
  it.each([
    ['a reply', 'application/json', () => ' '.repeat(1_000_000)],
    ['a stream', 'text/event-stream', () => `data: {"n":"${'x'.repeat(1_000_000)}"}\n\n`],
    ['an event', 'text/event-stream', (part: number) => (part === 0 ? 'data: x' : 'x'.repeat(1_000_000))],
  ])('end %s that is too large', async (_, type, part) => {
    let closed = false;
    const { model } = await started([
      (response) => {
        response.on('close', () => {
          closed = true;
        });
        response.writeHead(200, { 'content-type': type });
        for (let count = 0; count < 20; count++) response.write(part(count));
      },
    ]);
    await expect(model.reply(request)).rejects.toMatchObject({ reason: 'too-large' });
    await expect.poll(() => closed).toBe(true);
  });

  it('end a reply that takes too long', async () => {
    const clock = new FakeClock();
    const { model } = await started([() => {}], { clock, timeout: 30_000 });
    const reply = expect(model.reply(request)).rejects.toMatchObject({
      reason: 'unreachable',
      message: expect.stringContaining('did not reply within 30000 ms'),
    });
    await clock.advance(30_000);
    await reply;
  });

  it('do not apply to a reply that the caller cancels', async () => {
    let closed = () => {};
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const stop = new AbortController();
    const { model } = await started([
      (response, received) => {
        response.on('close', closed);
        events([{ choices: [{ delta: { content: 'Hel' } }] }], false)(response, received);
      },
    ]);
    const reply = model.reply(request, { signal: stop.signal, onText: () => stop.abort('enough') });
    await expect(reply).rejects.toMatchObject({ reason: 'cancelled', cause: 'enough' });
    await gone;
  });
});

it('does not follow redirects, which would send the key to another address', async () => {
  const other = await modelEndpoint(good);
  const { url } = await modelEndpoint((response) => {
    response.writeHead(307, { location: `${other.url}/v1/messages` });
    response.end();
  });
  await expect(anthropicModel({ model: 'm', baseUrl: url, key }).reply(request)).rejects.toMatchObject({
    reason: 'rejected',
    message: expect.stringContaining('Redirects are not followed'),
  });
  expect(other.requests).toEqual([]);
});

it('rejects with the error that onText throws', async () => {
  const { model } = await started([good]);
  const onText = () => {
    throw new RangeError('mine');
  };
  await expect(model.reply(request, { onText })).rejects.toThrow(new RangeError('mine'));
});

describe('options', () => {
  it.each<[string, unknown, string]>([
    ['a misspelt name', { model: 'm', baseURL: 'http://x' }, 'baseUrl'],
    ['an empty model', { model: '' }, 'model must be'],
    ['another protocol', { model: 'm', baseUrl: 'ftp://x' }, 'http:'],
    ['a password in the address', { model: 'm', baseUrl: 'http://a:hidden@x' }, 'user name or password'],
    ['a key for http', { model: 'm', baseUrl: 'http://models.example/v1', key: 'hidden' }, 'https:'],
    [
      'a key for an address like one of this machine',
      { model: 'm', baseUrl: 'http://127.0.0.1.example', key: 'hidden' },
      'https:',
    ],
    [
      'a header for http',
      { model: 'm', baseUrl: 'http://10.0.0.1', headers: { 'api-key': 'hidden' } },
      'https:',
    ],
    ['a key with a line end', { model: 'm', key: 'hidden\n' }, 'key has spaces'],
  ])('reject %s without the secret in the error', (_, options, text) => {
    expect(() => openAiModel(options as ModelOptions)).toThrow(text);
    expect(() => openAiModel(options as ModelOptions)).not.toThrow('hidden');
  });

  it.each([
    ['a key for https', { baseUrl: 'https://models.example/v1', key }],
    ['a key for this machine', { baseUrl: 'http://localhost:11434/v1', key }],
    ['http to another machine without a key', { baseUrl: 'http://10.0.0.1:11434/v1' }],
  ])('accept %s', (_, options) => {
    expect(() => openAiModel({ model: 'm', ...options })).not.toThrow();
    expect(() => anthropicModel({ model: 'm', ...options })).not.toThrow();
  });
});
