import { expect, test } from 'vitest';
import { headerValue, pairsOf, pathPart, type Style } from './styles.js';

const values = {
  empty: '',
  string: 'blue',
  array: ['blue', 'black', 'brown'],
  object: { R: 100, G: 200, B: 150 },
} as const;

type Row = readonly [empty: string | undefined, string: string | undefined, array: string, object: string];

// https://spec.openapis.org/oas/v3.2.0#style-examples, and RFC 6570 for the empty string.
const paths: Readonly<Record<string, Row>> = {
  'matrix false': [';color', ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
  'matrix true': [';color', ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
  'label false': ['.', '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
  'label true': ['.', '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
  'simple false': ['', 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
  'simple true': ['', 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
};
const queries: Readonly<Record<string, Row>> = {
  'form false': ['color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
  'form true': ['color=', 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
  'spaceDelimited false': [
    undefined,
    undefined,
    'color=blue%20black%20brown',
    'color=R%20100%20G%20200%20B%20150',
  ],
  'pipeDelimited false': [
    undefined,
    undefined,
    'color=blue%7Cblack%7Cbrown',
    'color=R%7C100%7CG%7C200%7CB%7C150',
  ],
  'deepObject true': [
    undefined,
    undefined,
    'color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown',
    'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150',
  ],
  'cookie false': ['color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
};

function styleOf(text: string, allowReserved = false): Style {
  const [style, explode] = text.split(' ');
  return { name: 'color', style: style as Style['style'], explode: explode === 'true', allowReserved };
}

function query(style: Style, value: unknown): string {
  return pairsOf(style, value)
    .map(([name, text]) => `${name}=${text}`)
    .join('&');
}

for (const [style, row] of Object.entries(paths))
  test.each(Object.keys(values).map((type, index) => [type, row[index]] as const))(
    `writes a path of the style ${style} for the value: %s`,
    (type, expected) => {
      expect(pathPart(styleOf(style), values[type as keyof typeof values])).toBe(expected);
    },
  );

for (const [style, row] of Object.entries(queries))
  test.each(
    Object.keys(values).flatMap((type, index) => (row[index] === undefined ? [] : [[type, row[index]]])),
  )(`writes a query of the style ${style} for the value: %s`, (type, expected) => {
    expect(query(styleOf(style), values[type as keyof typeof values])).toBe(expected);
  });

test('leaves out what has no value', () => {
  for (const value of [undefined, null, []]) expect(query(styleOf('form true'), value)).toBe('');
  expect(query(styleOf('form false'), { a: null, b: 1 })).toBe('color=b,1');
});

test('encodes all but unreserved characters, and keeps reserved ones with allowReserved', () => {
  expect(query(styleOf('form true'), 'a/b?c=d&e f\u00e9!')).toBe('color=a%2Fb%3Fc%3Dd%26e%20f%C3%A9%21');
  expect(query(styleOf('form true', true), 'a/b?c=d&e f#%41%+')).toBe('color=a/b?c=d%26e%20f%23%41%25%2B');
  expect(pathPart(styleOf('simple false'), 'a/../b')).toBe('a%2F..%2Fb');
  expect(pathPart(styleOf('simple false', true), 'a/b?c#d:e')).toBe('a%2Fb%3Fc%23d:e');
  expect(query(styleOf('form true'), '\ud800')).toBe('color=%EF%BF%BD');
});

test('writes nested members of a deepObject', () => {
  expect(query(styleOf('deepObject true'), { a: { b: [1, { c: true }] } })).toBe(
    'color%5Ba%5D%5Bb%5D%5B0%5D=1&color%5Ba%5D%5Bb%5D%5B1%5D%5Bc%5D=true',
  );
});

test('writes headers without encoding', () => {
  expect(headerValue({ explode: false }, ['a b', 'c/d'])).toBe('a b,c/d');
  expect(headerValue({ explode: true }, values.object)).toBe('R=100,G=200,B=150');
  expect(headerValue({ explode: false }, values.object)).toBe('R,100,G,200,B,150');
});
