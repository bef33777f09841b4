import { describe, expect, it } from 'vitest';
import { expandTemplate } from './uri-template.js';

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

  it('refuses values that are no text, and templates that are none', async () => {
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
