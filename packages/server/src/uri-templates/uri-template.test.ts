import { describe, expect, it } from 'vitest';
import { growsInProportion } from '../../../../tooling/suite/effort.js';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { maxUriLength, parseTemplate } from './uri-template.js';

describe('match', () => {
  it.each([
    ['notes://{id}', 'notes://42', { id: '42' }],
    ['notes://{id}', 'notes://a%20b%2Fc', { id: 'a b/c' }],
    ['notes://{id}', 'notes://me@home:1', { id: 'me@home:1' }],
    ['notes://{id}', 'notes://caf\u00e9', { id: 'caf\u00e9' }],
    ['caf\u00e9://{id}', 'caf%C3%A9://1', { id: '1' }],
    ['notes://{id}', 'notes://', undefined],
    ['notes://{id}', 'notes://a/b', undefined],
    ['notes://{id}', 'notes://a?b', undefined],
    ['notes://{id}', 'note://a', undefined],
    ['notes://{id}/raw', 'notes://a/raw', { id: 'a' }],
    ['notes://{id}/raw', 'notes://a/raw/x', undefined],
    ['notes://fixed', 'notes://fixed', {}],
    ['file:///{+path}', 'file:///a/b%20c?d#e', { path: 'a/b c?d#e' }],
    ['{+a}x{b}', 'p/xq/xr', { a: 'p/xq/', b: 'r' }],
    ['{name}.{ext}', 'archive.tar.gz', { name: 'archive.tar', ext: 'gz' }],
    ['files{/path*}', 'files/a/b/c', { path: ['a', 'b', 'c'] }],
    ['files{/path*}', 'files/a//b', { path: ['a', '', 'b'] }],
    ['files{/path*}', 'files', {}],
    ['files{/path*}/meta', 'files/a/b/meta', { path: ['a', 'b'] }],
    ['{/a,b}', '/x', { a: 'x' }],
    ['{/a,b}', '/x/y', { a: 'x', b: 'y' }],
    ['{/a,b}', '/x/y/z', undefined],
    ['{/a}{/rest*}', '/x/y/z', { a: 'x', rest: ['y', 'z'] }],
    ['s{/a}/fixed', 's/fixed', {}],
    ['s://x{?q,limit}', 's://x', {}],
    ['s://x{?q,limit}', 's://x?q=1%262&limit=2', { q: '1&2', limit: '2' }],
    ['s://x{?q,limit}', 's://x?limit=2&q=1', { q: '1', limit: '2' }],
    ['s://x{?q,limit}', 's://x?limit=2', { limit: '2' }],
    ['s://x{?q,limit}', 's://x?q=a=b', { q: 'a=b' }],
    ['s://x{?q,limit}', 's://x?q', { q: '' }],
    ['s://x{?q,limit}', 's://x?q=1&other=2', undefined],
    ['s://x{?q,limit}', 's://x?q=1&q=2', undefined],
    ['s://x{?a,ab}', 's://x?ab=1&a=2', { a: '2', ab: '1' }],
    ['s://x{?tag*}', 's://x?tag=a&tag=b', { tag: ['a', 'b'] }],
    ['s://x?kind=n{&q}', 's://x?kind=n&q=1', { q: '1' }],
    ['s://x{?a}{&b}', 's://x?a=1&b=2', { a: '1', b: '2' }],
    ['s://x{?q}{#part}', 's://x?q=1#top', { q: '1', part: 'top' }],
    ['x{;a,b}', 'x;a=1;b', { a: '1', b: '' }],
    ['x{.ext}', 'x.tar.gz', { ext: 'tar.gz' }],
    ['x{.ext*}', 'x.tar.gz', { ext: ['tar', 'gz'] }],
    ['{x,y}', '1024,768', { x: '1024', y: '768' }],
    ['{x,y}', '1024', { x: '1024' }],
    ['{list*}', 'a,b', { list: ['a', 'b'] }],
    ['{point}', '1,2', { point: '1,2' }],
    ['{/var:1,var}', '/v/value', { var: 'value' }],
    ['{/var:1,var}', '/x/value', undefined],
    ['{var:3}', 'value', undefined],
    ['{x}/{x}', 'a/a', { x: 'a' }],
    ['{x}/{x}', 'a/b', undefined],
    ['s://{__proto__}/{constructor}', 's://a/b', JSON.parse('{"__proto__":"a","constructor":"b"}')],
  ])('%s with %s', (template, uri, values) => {
    const found = parseTemplate(template).match(uri);
    if (values === undefined) expect(found).toBeUndefined();
    else
      expect(found === undefined ? found : Object.entries(found)).toEqual(
        expect.arrayContaining(Object.entries(values)),
      );
    if (values !== undefined) expect(Object.keys(found ?? {})).toHaveLength(Object.keys(values).length);
  });

  it('returns an object without a prototype', () => {
    const found = parseTemplate('s://{__proto__}').match('s://polluted');
    expect(Object.getPrototypeOf(found)).toBeNull();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect('toString' in (parseTemplate('s://{x}').match('s://1') ?? { toString: 1 })).toBe(false);
  });
});

describe('hostile URIs', () => {
  it.each(['%zz', '%', '%f', '%ff', '%c3%28', '%C0%AF', '%ED%A0%80', '\ud800'])(
    '%j fits no template',
    (value) => {
      showsBy(value, { '%C0%AF': '2026-07-28/server/resources/validate-uris' });
      expect(parseTemplate('notes://{id}').match(`notes://${value}`)).toBeUndefined();
      expect(parseTemplate('notes://{+id}').match(`notes://${value}`)).toBeUndefined();
      expect(parseTemplate('notes{?id}').match(`notes?id=${value}`)).toBeUndefined();
    },
  );

  it('longer than the bound fits no template', () => {
    shows('2026-07-28/server/resources/validate-uris');
    const template = parseTemplate('a{x}');
    expect(template.match('a'.repeat(maxUriLength))).toBeDefined();
    expect(template.match('a'.repeat(maxUriLength + 1))).toBeUndefined();
  });

  it.each([
    ['a{x}-{y}-{z}-{w}!', '-'],
    ['a{+x}-{+y}-{+z}-{+w}!', '-'],
    ['a{+a}{+b}{+c}{+d}{+e}!', 'a'],
    ['a{/a*}{/b*}{/c*}!', '/a'],
    ['a{?q,r*}{&q,r*}!', '&r=1'],
    ['a{list*}{more*}{rest*}!', ','],
  ])('%s takes linear time', async (text, filler) => {
    const template = parseTemplate(text);
    const head = text.includes('?') ? 'a?r=1' : 'a';
    await growsInProportion(maxUriLength / 8, (length) => {
      const uri = (head + filler.repeat(length)).slice(0, length);
      expect(template.match(uri)).toBeUndefined();
    });
  });
});

describe('broken templates', () => {
  it.each([
    ['notes://{id', /not closed; add "}"/],
    ['notes://id}', /without a "{" before it/],
    ['notes://{}', /a name is letters/],
    ['notes://{a b}', /a name is letters/],
    ['notes://{a-b}', /a name is letters/],
    ['notes://{a..b}', /a name is letters/],
    ['notes://{a{b}}', /a name is letters/],
    ['notes://{a,}', /a name is letters/],
    ['notes://{a:0}', /length from 1 to 9999/],
    ['notes://{a:10000}', /length from 1 to 9999/],
    ['notes://{a*:3}', /a name is letters/],
    ['notes://{%4}', /a name is letters/],
    ['notes://{!a}', /"!", which is reserved/],
    ['notes://{=a}', /"=", which is reserved/],
    ['notes://a b', /" " in its text; percent-encode it/],
    ['notes://%zz', /"%" in its text; percent-encode it/],
    [`notes://${'a'.repeat(2_048)}`, /longer than 2048 characters/],
    [`notes://${'{a}'.repeat(65)}`, /more than 64 variables/],
  ])('%s', (text, reason) => {
    expect(() => parseTemplate(text)).toThrow(reason);
    expect(() => parseTemplate(text)).toThrow(TypeError);
  });

  it('names each variable once', () => {
    expect(parseTemplate('{a}/{b}{?a,c*,d:3}').variables).toEqual(['a', 'b', 'c', 'd']);
    expect(parseTemplate('{a.b}{%41_1}').variables).toEqual(['a.b', '%41_1']);
  });
});
