import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { bytesOf, jpegOf, pngOf, svgOf, webpOf } from '../../test/images.js';
import { imageFacts } from './image-type.js';

describe('an image', () => {
  it.each([
    ['image/png', pngOf(48, 32)],
    ['image/png', pngOf(48, 32, ['gAMA', 'pHYs'])],
    ['image/jpeg', jpegOf(48, 32)],
    ['image/webp', webpOf(48, 32)],
    ['image/webp', bytesOf('RIFF----WEBPVP8 ----', [0, 0, 0, 0x9d, 0x01, 0x2a, 48, 0, 32, 0, 0, 0])],
    ['image/webp', bytesOf('RIFF----WEBPVP8L----', [0x2f, 47, 0xc0, 0x07, 0], [0, 0, 0, 0, 0])],
  ])('%s is known by its bytes, and how large it is', (type, bytes) => {
    expect(imageFacts(bytes)).toEqual({ type, width: 48, height: 32 });
  });

  it.each(['', '\xef\xbb\xbf', ' \n', '<?xml version="1.0"?>\n<!-- <svg> -->\n<!DOCTYPE svg PUBLIC "x">'])(
    'is SVG after %j',
    (before) => expect(imageFacts(svgOf(before))?.type).toBe('image/svg+xml'),
  );

  it.each<[string, Uint8Array, ...string[]]>([
    ['nothing', bytesOf('')],
    ['text', bytesOf('hello')],
    ['a page', bytesOf('<!DOCTYPE html><html><svg/></html>')],
    ['a page that begins as if', bytesOf('<svgx onload="x"/>')],
    ['a comment without end', bytesOf('<!-- <svg>')],
    ['a script', bytesOf('#!/bin/sh')],
    [
      'a GIF, which may move for ever',
      bytesOf('GIF89a', [48, 0, 32, 0]),
      '2026-07-28/basic/index/icons-exhaustion',
    ],
    ['a PNG that moves', pngOf(48, 32, ['gAMA', 'acTL'])],
    ['a WebP that moves', webpOf(48, 32, 0x02)],
    ['the name of a PNG alone', pngOf(48, 32).subarray(0, 20), '2026-07-28/basic/index/icons-validated'],
    ['the name of a JPEG alone', jpegOf(48, 32).subarray(0, 8)],
    ['a JPEG whose segments lead nowhere', bytesOf([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0])],
    ['the name of a WebP alone', bytesOf('RIFF----WEBPVP8X')],
    ['a WebP of no kind', bytesOf('RIFF----WEBPVP8Y', ' '.repeat(20))],
    ['a sound', bytesOf('RIFF----WAVEfmt ', ' '.repeat(20))],
  ])('is not %s', (_, bytes, ...ids) => {
    shows(...ids);
    expect(imageFacts(bytes)).toBeUndefined();
  });
});
