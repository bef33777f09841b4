import { closeNames } from '@tenon/foundation';
import { describe, expect, it } from 'vitest';
import {
  argumentProblems,
  argumentsOf,
  missingArguments,
  missingArgumentsError,
  toolNamed,
} from './arguments.js';
import { parseCallExpression, splitCallee } from './call-expression.js';
import { readValue } from './value-reader.js';
import { parseWordArgument } from './word-arguments.js';

const files = new Map([
  ['logo.png', 'PNG'],
  ['text.txt', 'line\n'],
  ['list.json', '[1]'],
]);
const readFile = async (path: string) => {
  const text = files.get(path);
  if (text === undefined) throw new Error('ENOENT');
  return new TextEncoder().encode(text);
};

const tool = {
  name: 'make',
  inputSchema: {
    type: 'object',
    $defs: { size: { enum: ['small', 'large', 10] } },
    properties: {
      text: { type: 'string' },
      count: { type: 'integer' },
      ratio: { type: 'number' },
      flag: { type: 'boolean' },
      size: { $ref: '#/$defs/size' },
      tags: { type: 'array', items: { type: 'string' } },
      numbers: { type: 'array', items: { type: 'integer' } },
      either: { anyOf: [{ type: 'number' }, { type: 'string' }] },
      maybe: { type: ['integer', 'null'] },
      place: { type: 'object', properties: { city: { type: 'string' }, floor: { type: 'integer' } } },
      'a.b': { type: 'integer' },
      image: { type: 'string', contentEncoding: 'base64' },
      any: {},
    },
    required: ['text', 'count'],
    additionalProperties: false,
  },
};

const fromWords = (...words: string[]) =>
  argumentsOf(tool, { words: words.flatMap((word) => parseWordArgument(word) ?? []), readFile });

describe('arguments as words', () => {
  it.each<[string, object]>([
    ['text=', { text: '' }],
    ['text=a=b', { text: 'a=b' }],
    ['text=12', { text: '12' }],
    ['count=12', { count: 12 }],
    ['ratio=-1.5e3', { ratio: -1500 }],
    ['flag=true', { flag: true }],
    ['size=large', { size: 'large' }],
    ['size=10', { size: 10 }],
    ['tags=a, b', { tags: ['a', 'b'] }],
    ['tags=["a,b"]', { tags: ['a,b'] }],
    ['tags=', { tags: [] }],
    ['numbers=1,2', { numbers: [1, 2] }],
    ['either=007', { either: '007' }],
    ['either=7', { either: 7 }],
    ['maybe=null', { maybe: null }],
    ['place={city: "Oslo"}', { place: { city: 'Oslo' } }],
    ['place.floor=3', { place: { floor: 3 } }],
    ['a.b=3', { 'a.b': 3 }],
    ['any=[1]', { any: [1] }],
    ['any=x', { any: 'x' }],
    ['text:="1"', { text: '1' }],
    ['text:=1', { text: 1 }],
    ['text=@text.txt', { text: 'line\n' }],
    ['text=@@a', { text: '@a' }],
    ['image=@logo.png', { image: 'UE5H' }],
    ['numbers=@list.json', { numbers: [1] }],
    ['any:=@list.json', { any: [1] }],
  ])('%s', async (word, values) => {
    expect(await fromWords(word)).toEqual(values);
  });

  it('collects words of the same name in a list, and words of one object in an object', async () => {
    expect(await fromWords('tags=a', 'tags=b', 'place.city=Oslo', 'place.floor=1')).toEqual({
      tags: ['a', 'b'],
      place: { city: 'Oslo', floor: 1 },
    });
  });

  it.each([
    ['count=1.5', /"count" must be an integer\.$/],
    ['count=', /"count" must be an integer\.$/],
    ['count=9007199254740993', /cannot hold exactly/],
    ['flag=yes', /"flag" must be true or false\.$/],
    ['size=larg', /"size" must be one of small, large, 10\. Did you mean "large"\?$/],
    ['numbers=1,x', /"numbers" has an item that must be an integer: "x"\.$/],
    ['place=Oslo', /"place" must be an object/],
    ['txet=a', /no argument "txet"/],
    ['text=a text=b', /"text" has two values\.$/],
    ['count:=[1', /"count" is not JSON\. "," or "\]" is missing:\n {2}\[1\n {4}\^$/],
    ['text=@none', /"text" cannot be read: none\.$/],
  ])('rejects %s', async (word, message) => {
    await expect(fromWords(...word.split(' '))).rejects.toThrow(
      expect.objectContaining({ reason: 'usage', message: expect.stringMatching(message) }),
    );
  });

  it('suggests names of arguments and of tools', async () => {
    await expect(fromWords('txet=a')).rejects.toMatchObject({ hint: 'Did you mean "text"?' });
    const tools = ['create_issue', 'createPage', 'delete_issue'].map((name) => ({ name }));
    expect(() => toolNamed('createIssue', tools)).toThrow(
      expect.objectContaining({ hint: 'Did you mean "create_issue"?' }),
    );
    expect(closeNames('xyz', ['create_issue'])).toEqual([]);
    expect(() => toolNamed('x', [])).toThrow(expect.objectContaining({ hint: 'The server has no tools.' }));
  });
});

describe('calls as code', () => {
  it.each<[string, object]>([
    ['t()', { positional: [], named: {} }],
    ['t(a: 1, b: "x",)', { positional: [], named: { a: 1, b: 'x' } }],
    [
      "t ( 'x', [1, 2,], c: {d: true, 'e-f': null} ) ;",
      { positional: ['x', [1, 2]], named: { c: { d: true, 'e-f': null } } },
    ],
    ['t("a-b": -0x10, c: .5, d: +1e3)', { positional: [], named: { 'a-b': -16, c: 0.5, d: 1000 } }],
    [String.raw`t("\u0041\x42\n\"")`, { positional: ['AB\n"'], named: {} }],
    ['t(`a\nb`)', { positional: ['a\nb'], named: {} }],
  ])('%s', (text, parts) => {
    expect(parseCallExpression(text)).toEqual({ callee: 't', ...parts });
  });

  it('keeps a member that is named like the prototype as data', () => {
    const { named } = parseCallExpression('t(__proto__: 1, a: {__proto__: {b: 1}})');
    expect(Object.keys(named)).toEqual(['__proto__', 'a']);
    expect(JSON.stringify(named)).toBe('{"__proto__":1,"a":{"__proto__":{"b":1}}}');
  });

  it.each([
    ['t(', '")" is missing:\n  t(\n    ^'],
    ['t(a: 1', '"," or ")" is missing:\n  t(a: 1\n        ^'],
    ['t(a: x)', 'Text needs quotes: "x":\n  t(a: x)\n       ^'],
    ['t(a: "x)', 'The text has no closing ":\n  t(a: "x)\n       ^'],
    ['t(a: )', 'A value is expected:\n  t(a: )\n       ^'],
    ['t(a: 1, a: 2)', 'The argument "a" is given twice:\n  t(a: 1, a: 2)\n          ^'],
    ['t(a: 1, 2)', 'An argument after named ones needs a name:\n  t(a: 1, 2)\n          ^'],
    ['t(a: 1) b', 'Nothing may follow here:\n  t(a: 1) b\n          ^'],
    ['t(a: 1e999)', 'The number is too large:\n  t(a: 1e999)\n       ^'],
    [`t(${'['.repeat(200)}`, expect.stringContaining('More than 100 levels')],
  ])('shows the place of the problem in %s', (text, message) => {
    expect(() => parseCallExpression(text)).toThrow(expect.objectContaining({ reason: 'usage', message }));
  });

  it('shows only the part of a long line with the problem', () => {
    expect(() => readValue(`["${'x'.repeat(5_000)}", y]`)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^.{0,60}:\n.{0,80}\n {52}\^$/) }),
    );
  });

  it.each([
    ['server.tool', { server: 'server', tool: 'tool' }],
    ['server.a.b', { server: 'server', tool: 'a.b' }],
    ['https://a.example/mcp.tool', { server: 'https://a.example/mcp', tool: 'tool' }],
    ['https://a.example', undefined],
    ['src/server.ts.tool', { server: 'src/server.ts', tool: 'tool' }],
    ['../server.mjs.a.b', { server: '../server.mjs', tool: 'a.b' }],
    ['tool', undefined],
  ])('splits %s', (callee, parts) => {
    expect(splitCallee(callee)).toEqual(parts);
  });

  it('assigns values without names by the order of the parameters', async () => {
    const of = (text: string) => argumentsOf(tool, { expression: parseCallExpression(text), readFile });
    expect(await of('make("x", 2, flag: true)')).toEqual({ text: 'x', count: 2, flag: true });
    expect(await of('make({ text: "x", count: 2 })')).toEqual({ text: 'x', count: 2 });
    await expect(of('make("x", text: "y")')).rejects.toThrow('The argument "text" has two values');
  });
});

describe('checks of arguments', () => {
  it('lists the required arguments without a value, with their types', () => {
    const error = missingArgumentsError(tool, missingArguments(tool, { text: '' }));
    expect(error.message).toBe('An argument is missing for the tool "make":\n  count: number /* integer */');
    expect(error.hint).toContain('count=...');
  });

  it('lists the problems by the input schema', () => {
    expect(argumentProblems(tool, { text: 1, count: 2 })).toEqual([expect.stringMatching(/^text: /)]);
    expect(argumentProblems({ name: 'a', inputSchema: { $schema: 'urn:x' } }, {})).toEqual([]);
    expect(argumentProblems({ name: 'a', inputSchema: { type: 7 } }, {})).toEqual([]);
    const itself = { properties: { a: { $ref: '#/properties/a' } } };
    expect(argumentProblems({ name: 'a', inputSchema: itself }, { a: 1 })).toEqual([]);
  });
});
