import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { revision20251125, revision20260728 } from '../revisions/index.js';
import { type Headed, hasHeaders, mirroredHeaders, mirrorProblem } from './mirrored-headers.js';

const headed = (headers: Readonly<Record<string, string>>): Headed => ({ header: (name) => headers[name] });

describe('the headers of a request', () => {
  it.each<[string, object | undefined, object, ...string[]]>([
    ['tools/list', undefined, { 'mcp-method': 'tools/list' }],
    ['tools/call', { name: 'add' }, { 'mcp-method': 'tools/call', 'mcp-name': 'add' }],
    ['prompts/get', { name: 'greet' }, { 'mcp-method': 'prompts/get', 'mcp-name': 'greet' }],
    ['resources/read', { uri: 'file:///a' }, { 'mcp-method': 'resources/read', 'mcp-name': 'file:///a' }],
    [
      'tools/call',
      { name: 'é' },
      { 'mcp-method': 'tools/call', 'mcp-name': '=?base64?w6k=?=' },
      '2026-07-28/basic/transports/streamable-http/mcp-name-encoded',
    ],
    ['tools/call', { name: 5 }, { 'mcp-method': 'tools/call' }],
    ['tools/call', {}, { 'mcp-method': 'tools/call' }],
    ['nobody/knows', { name: 'x' }, { 'mcp-method': 'nobody/knows' }],
    ['__proto__', { name: 'x' }, { 'mcp-method': '__proto__' }],
  ])('%s %j', (...[method, params, headers, ...ids]) => {
    shows(...ids);
    const request = { method, params: params as Record<string, unknown> | undefined };
    expect(mirroredHeaders(revision20260728, request)).toEqual(headers);
    expect(
      mirrorProblem(revision20260728, request, headed(headers as Record<string, string>)),
    ).toBeUndefined();
  });

  it('there are none in a revision that has none', () => {
    shows('2026-07-28/basic/transports/streamable-http/intermediary-version');
    const request = { method: 'tools/call', params: { name: 'add' } };
    expect(mirroredHeaders(revision20251125, request)).toBeUndefined();
    expect(mirrorProblem(revision20251125, request, headed({ 'mcp-method': 'other' }))).toBeUndefined();
  });
});

describe('headers that do not repeat the request', () => {
  const request = { method: 'tools/call', params: { name: 'add' } };
  it.each<[string, Record<string, string>, RegExp, ...string[]]>([
    ['no method', { 'mcp-name': 'add' }, /Mcp-Method header is required/],
    ['another method', { 'mcp-method': 'tools/list', 'mcp-name': 'add' }, /Mcp-Method.*differ/],
    [
      'the method in another case',
      { 'mcp-method': 'Tools/Call', 'mcp-name': 'add' },
      /differ/,
      '2026-07-28/basic/transports/streamable-http/header-values-case',
    ],
    ['the method wrapped', { 'mcp-method': '=?base64?dG9vbHMvY2FsbA==?=', 'mcp-name': 'add' }, /differ/],
    ['the method twice', { 'mcp-method': 'tools/call, tools/call', 'mcp-name': 'add' }, /differ/],
    ['no name', { 'mcp-method': 'tools/call' }, /Mcp-Name header is required.*params\.name/],
    ['an empty name', { 'mcp-method': 'tools/call', 'mcp-name': '' }, /Mcp-Name.*differ/],
    ['another name', { 'mcp-method': 'tools/call', 'mcp-name': 'sub' }, /Mcp-Name.*params\.name differ/],
    ['the name in another case', { 'mcp-method': 'tools/call', 'mcp-name': 'Add' }, /differ/],
    [
      'another name, wrapped',
      { 'mcp-method': 'tools/call', 'mcp-name': '=?base64?c3Vi?=' },
      /differ/,
      '2026-07-28/basic/transports/streamable-http/decode-before-comparing',
    ],
    ['a wrapping that is broken', { 'mcp-method': 'tools/call', 'mcp-name': '=?base64?YWRk=?=' }, /differ/],
    ['the name of an earlier hop too', { 'mcp-method': 'tools/call', 'mcp-name': 'add, add' }, /differ/],
  ])('%s', (...[, headers, problem, ...ids]) => {
    shows(...ids);
    expect(mirrorProblem(revision20260728, request, headed(headers))).toMatch(problem);
  });

  it.each([
    [
      'a name that looks wrapped, unwrapped',
      '=?base64?SGVsbG8=?=',
      '2026-07-28/basic/transports/streamable-http/sentinel-encoded',
    ],
    ['a name beyond ASCII, unwrapped', 'é'],
  ])('%s', (_title, name, ...ids) => {
    shows(...ids);
    const headers = { 'mcp-method': 'tools/call', 'mcp-name': name };
    const asked = { method: 'tools/call', params: { name } };
    expect(mirrorProblem(revision20260728, asked, headed(headers))).toMatch(/Mcp-Name.*differ/);
  });

  it('a name may be wrapped without need', () => {
    shows('2026-07-28/basic/transports/streamable-http/decode-before-comparing');
    const headers = { 'mcp-method': 'tools/call', 'mcp-name': '=?base64?YWRk?=' };
    expect(mirrorProblem(revision20260728, request, headed(headers))).toBeUndefined();
  });
});

it('hasHeaders is true if the transport can read headers', () => {
  expect([hasHeaders({}), hasHeaders(headed({}))]).toEqual([false, true]);
});
