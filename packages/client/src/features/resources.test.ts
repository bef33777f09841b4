import { RemoteError, type Revision } from '@tenon/mcp-protocol';
import { revision20241105, revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { showsBy } from '../../../../tooling/suite/shows.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer, WireRefusal } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import { expandTemplate, isResourceNotFound } from './resources.js';

/** Returns the error of reading a resource when the server answers with this code and data. */
async function failure(revision: Revision, code: number, data?: unknown): Promise<unknown> {
  const refusal = new WireRefusal(code, 'no', data);
  const server = new ScriptedServer(serverScript(revision, { 'resources/read': () => refusal }));
  const client = await linked(server);
  return client.readResource('a:b').catch((error: unknown) => error);
}

describe('a resource that is not there', () => {
  it.each([
    [revision20241105, -32002],
    [revision20251125, -32002],
    [revision20260728, -32602],
  ])('is known for it in $id', async (revision, code) => {
    showsBy(revision.id, {
      '2025-11-25': '2026-07-28/server/resources/not-found-older',
      '2026-07-28': '2026-07-28/server/resources/not-found-older',
    });
    expect(isResourceNotFound(await failure(revision, code, { uri: 'a:b' }), 'a:b')).toBe(true);
  });

  it.each([
    [-32602, undefined],
    [-32602, { uri: 'a:c' }],
    [-32602, 'a:b'],
    [-32603, { uri: 'a:b' }],
  ])('is not what %i with %o says', async (code, data) => {
    expect(isResourceNotFound(await failure(revision20260728, code, data), 'a:b')).toBe(false);
  });

  it('is not what any other failure says', () => {
    for (const error of [new Error('x'), undefined, { code: -32002 }]) {
      expect(isResourceNotFound(error, 'a:b')).toBe(false);
    }
    expect(isResourceNotFound(new RemoteError({ code: -32002, message: 'gone' }), 'a:b')).toBe(true);
  });
});

/** The variables of RFC 6570 section 3.2. */
const rfc = {
  count: ['one', 'two', 'three'],
  dom: ['example', 'com'],
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  list: ['red', 'green', 'blue'],
  v: '6',
  x: '1024',
  y: '768',
  empty: '',
  empty_keys: [],
};

describe('expand, by the tables of RFC 6570', () => {
  it.each([
    // 1.2, levels 1 to 4
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{+hello}', 'Hello%20World!'],
    ['{+path}/here', '/foo/bar/here'],
    ['here?ref={+path}', 'here?ref=/foo/bar'],
    ['X{#hello}', 'X#Hello%20World!'],
    ['map?{x,y}', 'map?1024,768'],
    ['{+x,hello,y}', '1024,Hello%20World!,768'],
    ['X{.var}', 'X.value'],
    ['X{.x,y}', 'X.1024.768'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{;x,y,empty}', ';x=1024;y=768;empty'],
    ['{?x,y,empty}', '?x=1024&y=768&empty='],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{var:3}', 'val'],
    ['{list}', 'red,green,blue'],
    ['{/list*}', '/red/green/blue'],
    ['{?list*}', '?list=red&list=green&list=blue'],
    ['{;list*}', ';list=red;list=green;list=blue'],
    ['X{.list*}', 'X.red.green.blue'],
    ['{half}', '50%25'],
    ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
    ['O{empty}X', 'OX'],
    ['O{undef}X', 'OX'],
    ['{/var:1,var}', '/v/value'],
    ['{#path:6}here', '#/foo/bhere'],
    ['{?undef,y}', '?y=768'],
  ])('%s gives %s', async (template, uri) => {
    await expect(expandTemplate(template, rfc)).resolves.toBe(uri);
  });

  it('refuses values that are not texts, and templates that are none', async () => {
    await expect(expandTemplate('a{x}', { x: 5 as unknown as string })).rejects.toThrow(
      /"x" must be a string/,
    );
    await expect(expandTemplate('a{x}', { x: '\ud800' })).rejects.toThrow(TypeError);
    await expect(expandTemplate('a{x', { x: '1' })).rejects.toThrow('The URI template "a{x"');
  });

  it('takes no values from a prototype', async () => {
    await expect(expandTemplate('a{constructor}{__proto__}', {})).resolves.toBe('a');
  });
});
