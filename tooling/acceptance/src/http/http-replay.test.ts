import { describe, expect, it } from 'vitest';
import { readStories } from '../transcripts/transcript.js';
import { type HttpAsked, type Incoming, ScriptedExchange } from './exchange.js';
import type { HttpFace } from './face.js';
import { replayHttp } from './http-replay.js';

/** A story with these lines, in the format of a page. */
function storyOf(...lines: string[]) {
  const [story] = readStories(['A sentence.', '```http', ...lines, '```'].join('\n'), 'http');
  if (story === undefined) throw new TypeError('no story');
  return story;
}

async function* chunksOf(text: string): AsyncIterable<Uint8Array> {
  // Bytes one by one, so that the reader has to join them.
  for (const byte of new TextEncoder().encode(text)) yield Uint8Array.of(byte);
}

/** A face with the same response to every request. */
function recorded(text = '', { status = 200, type = 'application/json' } = {}) {
  const asked: HttpAsked[] = [];
  const headers = { 'content-type': type, date: 'today' };
  const face: HttpFace & { readonly asked: HttpAsked[] } = {
    asked,
    request(given) {
      asked.push(given);
      const incoming: Incoming = { status, headers, chunks: chunksOf(text) };
      return new ScriptedExchange(Promise.resolve(incoming), () => {});
    },
    drain: async () => {},
    close: async () => {},
  };
  return face;
}

const events = { type: 'text/event-stream' };
const head = ['→ a: GET /', '← a: 200', '    content-type: text/event-stream'];
const json = ['→ a: GET /', '← a: 200', '    content-type: application/json'];

describe('a replay over HTTP', () => {
  it('sends the text as written, with values for names', async () => {
    const face = recorded('{"id": "x y"}');
    await replayHttp(
      storyOf(
        ...json,
        '    {"id": "<id>"}',
        '→ b: POST <id>',
        '    Accept: */*',
        '    x-id: <id>',
        '    {"say": "<id>!",',
        '      "no": 1}',
        '← b: 200',
        '    content-type: application/json',
        '    {"id": "<id>"}',
      ),
      face,
    );
    expect(face.asked[1]).toEqual({
      method: 'POST',
      path: 'x y',
      headers: { Accept: '*/*', 'x-id': 'x y' },
      body: '{"say":"x y!","no":1}',
    });
  });

  it('sends a body that is not JSON unchanged', async () => {
    const face = recorded('', { status: 202 });
    await replayHttp(
      storyOf('→ a: POST /', '    {"a":', '← a: 202', '    content-type: application/json'),
      face,
    );
    expect(face.asked[0]?.body).toBe('{"a":');
  });

  it('compares all fields of events, and ignores comments the story does not contain', async () => {
    const text = ': hi\n\nid: 1\nretry: 5\ndata: \n\n:\n\nevent: x\ndata: {"n":\ndata: 2}\n\ndata: word\n\n';
    await replayHttp(
      storyOf(
        ...head,
        '← a: event',
        '    id: <one>',
        '    retry: 5',
        '← a: comment',
        '← a: event',
        '    event: x',
        '    {"n": 2}',
        '← a: event',
        '    text: word',
        '← a: (ends)',
      ),
      recorded(text, events),
    );
  });

  it.each([
    { what: 'another status', lines: ['→ a: GET /', '← a: 201'], answer: recorded('{}'), message: 'line 4' },
    {
      what: 'a header nobody told of',
      lines: ['→ a: GET /', '← a: 200'],
      answer: recorded(),
      message: 'line 4',
    },
    {
      what: 'another body',
      lines: [...json, '    {"a": 1}'],
      answer: recorded('{"a": 2}'),
      message: 'line 4',
    },
    { what: 'a body nobody told of', lines: json, answer: recorded('{}'), message: 'line 4' },
    {
      what: 'another event',
      lines: [...head, '← a: event', '    {"a": 1}'],
      answer: recorded('id: 1\ndata: {"a":1}\n\n', events),
      message: 'line 6',
    },
    {
      what: 'an event more',
      lines: [...head, '← a: event', '    1'],
      answer: recorded('data: 1\n\ndata: 2\n\n', events),
      message: 'after the last line came to a',
    },
    {
      what: 'an end too early',
      lines: [...head, '← a: event'],
      answer: recorded('', events),
      message: 'line 6',
    },
    {
      what: 'a stream that breaks off',
      lines: [...head, '← a: (ends)'],
      answer: recorded('data: 1', events),
      message: 'line 6',
    },
    {
      what: 'an unknown event',
      lines: ['→ (it rains)'],
      answer: recorded(),
      message: 'line 3: unknown event "it rains"',
    },
    { what: 'an exchange without a request', lines: ['← a: 200'], answer: recorded(), message: 'line 3' },
  ])('fails on $what', async ({ lines, answer, message }) => {
    await expect(replayHttp(storyOf(...lines), answer)).rejects.toThrow(message);
  });

  it('runs the events in brackets', async () => {
    let rain = 0;
    const namedActions = new Map([['it rains', async () => void rain++]]);
    await replayHttp(storyOf('→ (it rains)', '→ (it rains)'), recorded(), namedActions);
    expect(rain).toBe(2);
  });
});

describe('the format of HTTP stories', () => {
  it.each([
    ['→ GET /mcp', 'expected the name of an exchange'],
    ['→ a: GET mcp', 'expected a method and a path'],
    ['← (it rains)', 'expected the name of an exchange'],
    ['← a: fine', 'expected a status, an event, a comment or an end'],
  ])('refuses %j', async (line, message) => {
    const lines = line.startsWith('←') ? ['→ a: GET /', line] : [line];
    await expect(replayHttp(storyOf(...lines), recorded())).rejects.toThrow(message);
  });
});
