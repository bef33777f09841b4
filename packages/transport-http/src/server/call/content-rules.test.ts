import { describe, expect, it } from 'vitest';
import { FakeCall } from '../../../test/fake-call.js';
import { FakeService, postHeaders, stateless } from '../../../test/fake-service.js';
import { getRefusal, postRefusal } from './content-rules.js';

const json = 'application/json';
const both = 'application/json, text/event-stream';

describe('the content of a POST', () => {
  it.each<[string | undefined, number | undefined]>([
    [json, undefined],
    ['Application/JSON', undefined],
    ['application/json; charset=utf-8', undefined],
    ['application/json;charset="UTF-8"', undefined],
    ['application/json ; charset = utf-8 ', undefined],
    [undefined, 415],
    ['', 415],
    ['text/plain', 415],
    ['application/jsonp', 415],
    ['application/json-rpc', 415],
    ['application/json, text/plain', 415],
    ['text/plain; application/json', 415],
    ['application/json; charset=iso-8859-1', 415],
    ['application/json; charset=utf-16', 415],
    ['multipart/form-data', 415],
    ['application/x-www-form-urlencoded', 415],
  ])('Content-Type: %s', (type, status) => {
    const headers = { accept: both, ...(type !== undefined && { 'content-type': type }) };
    expect(postRefusal(new FakeCall({ headers }))?.status).toBe(status);
  });

  it.each([
    ['identity', undefined],
    ['gzip', 415],
    ['br', 415],
    ['identity, gzip', 415],
    ['deflate', 415],
  ])('Content-Encoding: %s', (encoding, status) => {
    const headers = { 'content-type': json, 'content-encoding': encoding };
    expect(postRefusal(new FakeCall({ headers }))?.status).toBe(status);
  });
});

describe('the accepted types of a POST', () => {
  it.each<[string | undefined, boolean]>([
    [undefined, true],
    [both, true],
    ['text/event-stream,application/json', true],
    ['TEXT/Event-Stream, Application/JSON', true],
    ['*/*', true],
    ['application/*, text/*', true],
    ['application/json;q=0.5, text/event-stream;q=0.1', true],
    ['text/html, */*;q=0.1', true],
    [json, false],
    ['text/event-stream', false],
    ['', false],
    ['text/html', false],
    ['application/json;q=0, text/event-stream', false],
    ['application/json, text/event-stream;q=0.000', false],
    ['*/*;q=0', false],
    ['*/*, text/event-stream;q=0', false],
    ['*/*;q=0, application/json, text/event-stream', true],
    ['application/json, text/event-stream, */*;q=0', true],
    ['text/*;q=0, application/json, text/event-stream', true],
    ['application/json, text/event-stream, text/*;q=0', true],
    ['text/event-stream;q=0, application/json, text/*', false],
    ['application/jsonx, text/event-streams', false],
  ])('Accept: %s', (accept, taken) => {
    const headers = { 'content-type': json, ...(accept !== undefined && { accept }) };
    expect(postRefusal(new FakeCall({ headers }))?.status).toBe(taken ? undefined : 406);
  });
});

describe('the accepted types of a GET', () => {
  it.each<[string | undefined, boolean]>([
    [undefined, true],
    ['text/event-stream', true],
    ['text/*', true],
    ['*/*', true],
    [json, false],
    ['text/event-stream;q=0', false],
    ['*/*;q=0, text/event-stream', true],
    ['text/event-stream;q=0, text/*', false],
  ])('Accept: %s', (accept, taken) => {
    const call = new FakeCall({ method: 'GET', headers: accept === undefined ? {} : { accept } });
    expect(getRefusal(call)?.status).toBe(taken ? undefined : 406);
  });
});

describe('a request rejected for its headers', () => {
  it.each([
    [{ 'content-type': 'text/plain' }, 415, /Content-Type: application\/json/],
    [{ 'content-encoding': 'gzip' }, 415, /without a Content-Encoding/],
    [{ accept: json }, 406, /application\/json and text\/event-stream/],
  ])('receives the valid values, before its body is read: %j', (headers, status, message) => {
    const host = new FakeService();
    const call = host.post(stateless(1)[0], headers as unknown as Record<string, string>);
    expect(call).toMatchObject({ status, bodyReads: 0 });
    expect(call.json.error).toEqual({ code: -32600, message: expect.stringMatching(message) });
    expect(host.application.values).toEqual([]);
  });

  it('receives the accepted encodings', () => {
    const call = new FakeService().post({}, { 'content-encoding': 'gzip' });
    expect(call.sent['accept-encoding']).toBe('identity');
  });

  it('receives the allowed methods', () => {
    const host = new FakeService();
    for (const method of ['PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'get', '']) {
      const call = host.call({ method, headers: postHeaders });
      expect(call).toMatchObject({ status: 405, bodyReads: 0, sent: { allow: 'GET, POST, DELETE' } });
    }
  });
});
