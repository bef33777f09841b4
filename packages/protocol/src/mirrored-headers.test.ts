import { describe, expect, it } from 'vitest';
import { type Headed, hasHeaders, mirroredHeaders, mirrorFlaw } from './mirrored-headers.js';
import { revision20251125, revision20260728 } from './revisions/index.js';

const headed = (headers: Readonly<Record<string, string>>): Headed => ({ header: (name) => headers[name] });

describe('the headers of a request', () => {
  it.each<[string, object | undefined, object]>([
    ['tools/list', undefined, { 'mcp-method': 'tools/list' }],
    ['tools/call', { name: 'add' }, { 'mcp-method': 'tools/call', 'mcp-name': 'add' }],
    ['prompts/get', { name: 'greet' }, { 'mcp-method': 'prompts/get', 'mcp-name': 'greet' }],
    ['resources/read', { uri: 'file:///a' }, { 'mcp-method': 'resources/read', 'mcp-name': 'file:///a' }],
    ['tools/call', { name: 'é' }, { 'mcp-method': 'tools/call', 'mcp-name': '=?base64?w6k=?=' }],
    ['tools/call', { name: 5 }, { 'mcp-method': 'tools/call' }],
    ['tools/call', {}, { 'mcp-method': 'tools/call' }],
    ['nobody/knows', { name: 'x' }, { 'mcp-method': 'nobody/knows' }],
    ['__proto__', { name: 'x' }, { 'mcp-method': '__proto__' }],
  ])('%s %j', (method, params, headers) => {
    const request = { method, params: params as Record<string, unknown> | undefined };
    expect(mirroredHeaders(revision20260728, request)).toEqual(headers);
    expect(mirrorFlaw(revision20260728, request, headed(headers as Record<string, string>))).toBeUndefined();
  });

  it('there are none in a revision that has none', () => {
    const request = { method: 'tools/call', params: { name: 'add' } };
    expect(mirroredHeaders(revision20251125, request)).toBeUndefined();
    expect(mirrorFlaw(revision20251125, request, headed({ 'mcp-method': 'other' }))).toBeUndefined();
  });
});

describe('headers that do not repeat the request', () => {
  const request = { method: 'tools/call', params: { name: 'add' } };
  it.each<[string, Record<string, string>, RegExp]>([
    ['no method', { 'mcp-name': 'add' }, /Mcp-Method header is required/],
    ['another method', { 'mcp-method': 'tools/list', 'mcp-name': 'add' }, /Mcp-Method.*differ/],
    ['the method in another case', { 'mcp-method': 'Tools/Call', 'mcp-name': 'add' }, /differ/],
    ['the method wrapped', { 'mcp-method': '=?base64?dG9vbHMvY2FsbA==?=', 'mcp-name': 'add' }, /differ/],
    ['the method twice', { 'mcp-method': 'tools/call, tools/call', 'mcp-name': 'add' }, /differ/],
    ['no name', { 'mcp-method': 'tools/call' }, /Mcp-Name header is required.*params\.name/],
    ['an empty name', { 'mcp-method': 'tools/call', 'mcp-name': '' }, /Mcp-Name.*differ/],
    ['another name', { 'mcp-method': 'tools/call', 'mcp-name': 'sub' }, /Mcp-Name.*params\.name differ/],
    ['the name in another case', { 'mcp-method': 'tools/call', 'mcp-name': 'Add' }, /differ/],
    ['another name, wrapped', { 'mcp-method': 'tools/call', 'mcp-name': '=?base64?c3Vi?=' }, /differ/],
    ['a wrapping that is broken', { 'mcp-method': 'tools/call', 'mcp-name': '=?base64?YWRk=?=' }, /differ/],
    ['the name of an earlier hop too', { 'mcp-method': 'tools/call', 'mcp-name': 'add, add' }, /differ/],
  ])('%s', (_title, headers, flaw) => {
    expect(mirrorFlaw(revision20260728, request, headed(headers))).toMatch(flaw);
  });

  it.each([
    ['a name that looks wrapped, unwrapped', '=?base64?SGVsbG8=?='],
    ['a name beyond ASCII, unwrapped', 'é'],
  ])('%s', (_title, name) => {
    const headers = { 'mcp-method': 'tools/call', 'mcp-name': name };
    const asked = { method: 'tools/call', params: { name } };
    expect(mirrorFlaw(revision20260728, asked, headed(headers))).toMatch(/Mcp-Name.*differ/);
  });

  it('a name may be wrapped without need', () => {
    const headers = { 'mcp-method': 'tools/call', 'mcp-name': '=?base64?YWRk?=' };
    expect(mirrorFlaw(revision20260728, request, headed(headers))).toBeUndefined();
  });
});

it('a carrier has headers where it can read them', () => {
  expect([hasHeaders({}), hasHeaders(headed({}))]).toEqual([false, true]);
});
