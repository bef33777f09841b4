import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { answerTo } from '../storm/findings/answers.js';
import { FollowedCall, problemOfResult } from './followed-call.js';
import { RawSession } from './raw-session.js';

const result = {
  jsonrpc: '2.0',
  id: 7,
  result: { content: [{ type: 'text', text: JSON.stringify({ number: 7, value: answerTo(7) }) }] },
};

test('resumes a broken stream after its last event, until the answer arrives', async () => {
  const { url, requests } = await serve((request, response) => {
    if (request.method === 'POST')
      stream(response, 'id: a\ndata: {"method":"notifications/progress","params":{"progress":1}}\n\n');
    else stream(response, `id: b\ndata: ${JSON.stringify(result)}\n\n`);
  });
  const call = callAt(url);
  const progress = /** @type {number[]} */ ([]);
  call.onProgress = (step) => progress.push(step);
  const end = await call.run(60_000);
  expect(end).toEqual({ answer: result, refusals: [], resumptions: 1 });
  expect(problemOfResult(end, 7)).toBeUndefined();
  expect(progress).toEqual([1]);
  expect(requests).toEqual(['POST undefined', 'GET a']);
});

test('does not send a call again when its connection breaks before the first event', async () => {
  const { url, requests } = await serve((_, response) => response.destroy());
  const end = await callAt(url).run(60_000);
  expect(end.problem).toBe('its stream broke before its first event');
  expect(requests).toEqual(['POST undefined']);
});

test('counts refused resumptions, and ends when the session is unknown', async () => {
  const statuses = [503, 404];
  const { url } = await serve((request, response) => {
    if (request.method === 'POST') stream(response, 'id: a\ndata: \n\n');
    else response.writeHead(statuses.shift() ?? 500).end();
  });
  expect(await callAt(url).run(60_000)).toEqual({
    problem: 'its session is unknown',
    refusals: [503, 404],
    resumptions: 2,
  });
});

/** @param {string} url */
function callAt(url) {
  return new FollowedCall(new RawSession('session', {}), { number: 7, tool: 'quick' }, () => url);
}

/** @param {import('node:http').RequestListener} listener */
async function serve(listener) {
  /** @type {string[]} */
  const requests = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers['last-event-id']}`);
    request.resume();
    listener(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}/mcp`, requests };
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {string} text
 */
function stream(response, text) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(text);
}
