import { describe, expect, it } from 'vitest';
import { extensionOf, fileOf, imageProtocol, inlineImage, sizeText } from './content-files.js';
import { isSecretField } from './form-fields.js';

const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.alloc(5_000),
]);
const image = (bytes: Uint8Array) => ({ kind: 'image', mimeType: 'image/png', bytes }) as const;

describe('files of content', () => {
  it('reads images, audio and embedded blobs', () => {
    expect(fileOf({ type: 'image', data: 'aGk=', mimeType: 'image/png' })?.bytes.toString()).toBe('hi');
    const blob = { uri: 'a:b', blob: 'aGk=' };
    expect(fileOf({ type: 'resource', resource: blob })).toMatchObject({ kind: 'resource', uri: 'a:b' });
    expect(fileOf({ type: 'text', text: '' })).toBeUndefined();
  });

  it.each([
    ['image/png', 'png'],
    ['image/jpeg; q=1', 'jpg'],
    ['application/pdf', 'pdf'],
    ['application/vnd.x-y', 'bin'],
    ['image/../../x', 'bin'],
    ['', 'bin'],
  ])('names files of %s', (type, extension) => {
    expect(extensionOf(type)).toBe(extension);
  });

  it('prints sizes', () => {
    expect([0, 999, 1_500, 2_500_000].map(sizeText)).toEqual(['0 B', '999 B', '1.5 kB', '2.5 MB']);
  });
});

describe('images in terminals', () => {
  it.each([
    [{ TERM: 'xterm-kitty' }, 'kitty'],
    [{ TERM_PROGRAM: 'iTerm.app' }, 'iterm2'],
    [{ TERM_PROGRAM: 'WezTerm', TMUX: '/tmp/x' }, undefined],
    [{ TERM: 'xterm-256color' }, undefined],
  ])('detects %j', (env, protocol) => {
    expect(imageProtocol(env)).toBe(protocol);
  });

  it('sends an image in chunks to kitty, and as a whole to iTerm2', () => {
    const kitty = inlineImage(image(png), 'kitty') ?? '';
    expect(kitty.split('\u001b_G')).toHaveLength(3);
    expect(kitty.startsWith('\u001b_Ga=T,f=100,m=1;')).toBe(true);
    const data = png.toString('base64');
    expect(inlineImage(image(png), 'iterm2')).toBe(`\u001b]1337;File=inline=1;size=5008:${data}\u0007`);
  });

  it('does not send bytes that are not an image, and none that are too large', () => {
    expect(inlineImage(image(Buffer.from('x')), 'kitty')).toBeUndefined();
    expect(inlineImage(image(Buffer.alloc(9_000_000)), 'iterm2')).toBeUndefined();
    expect(inlineImage({ ...image(png), kind: 'audio' }, 'iterm2')).toBeUndefined();
  });
});

it.each([
  ['password', {}, true],
  ['x', { title: 'API key' }, true],
  ['cardNumber', {}, true],
  ['maxTokens', {}, false],
  ['city', {}, false],
])('recognizes a field that requests a secret: %s', (name, more, isSecret) => {
  expect(isSecretField(name, { type: 'string', ...more })).toBe(isSecret);
});
