import { describe, expect, it } from 'vitest';
import { derivedName, nameProblem, requireFolderName } from './names.js';

describe('package names', () => {
  it.each(['a', 'my-server', '@me/my.server_2', '0x', 'x'.repeat(214)])('accepts %s', (name) => {
    expect(nameProblem(name)).toBeUndefined();
  });

  it.each([
    ['', /empty/],
    ['x'.repeat(215), /215 characters/],
    ['Server', /capital/],
    ['../../etc', /may have/],
    ['@me', /may have/],
    ['@me/', /may have/],
    ['@../x', /may have/],
    ['.hidden', /may have/],
    ['_hidden', /may have/],
    ['a b', /may have/],
    ['a\nb', /may have/],
    ['a"b', /may have/],
    ['é', /may have/],
    ['node_modules', /reserved/],
    ['http', /reserved/],
    ['con', /reserved/],
    ['@me/nul.txt', /reserved/],
    ['zod', /depends on/],
  ])('rejects %j', (name, problem) => {
    expect(nameProblem(name, ['zod'])).toMatch(problem);
  });

  it.each([
    ['My Server', 'my-server'],
    ['Übersetzer', 'ubersetzer'],
    ['..', 'mcp-server'],
    ['日本', 'mcp-server'],
    ['http', 'http-server'],
    ['zod', 'zod-server'],
    ['__x__', 'x'],
    ['a'.repeat(300), 'a'.repeat(100)],
  ])('derives a name from the folder %j', (folder, name) => {
    expect(derivedName(folder, ['zod'])).toBe(name);
  });
});

describe('folder names', () => {
  it.each(['.', '..', '../x', '/tmp/x', 'a b', 'a/b', 'C:\\work\\x', '日本'])('accepts %s', (path) => {
    expect(() => requireFolderName(path)).not.toThrow();
  });

  it.each([
    ['a\u0000b', /control characters/],
    ['a\u001b[2J', /control characters/],
    ['what?', /one of the characters/],
    ['x'.repeat(201), /longer than 200 bytes/],
    ['sub/aux', /Windows reserves/],
    ['dot.', /ends with a dot/],
    ['space ', /ends with a dot or a space/],
  ])('rejects %j', (path, problem) => {
    expect(() => requireFolderName(path)).toThrow(problem);
  });
});
