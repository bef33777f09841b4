import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = readFileSync(new URL('.vitepress/theme/site.css', import.meta.url), 'utf8');
/** Texts and the surfaces they stand on; `#ffffff` is the text of a button. */
/** @type {[text: string, surface: string][]} */
const pairs = [
  ...['bg', 'bg-alt', 'bg-soft', 'brand-soft'].flatMap((surface) =>
    ['text-1', 'text-2', 'brand-1'].map((text) => /** @type {[string, string]} */ ([text, surface])),
  ),
  ['text-3', 'bg'],
  ['text-3', 'bg-alt'],
  ['#ffffff', 'brand-3'],
];

describe.each([
  ['light', ':root'],
  ['dark', '.dark'],
])('the %s colours', (_, selector) => {
  const colours = coloursOf(selector);

  test.each(pairs)('%s on %s has the contrast of WCAG AA, 4.5', (text, surface) => {
    expect(contrast(colours.get(text) ?? text, colours.get(surface) ?? '')).toBeGreaterThanOrEqual(4.5);
  });
});

/** @param {string} selector of the first block that has it */
function coloursOf(selector) {
  const [, body = ''] = new RegExp(`^\\${selector} \\{\\n([^}]*)\\}`, 'm').exec(css) ?? [];
  return new Map(
    [...body.matchAll(/--vp-c-([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/**
 * @param {string} one
 * @param {string} other
 */
function contrast(one, other) {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** @param {string} colour `#rrggbb` */
function luminance(colour) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
