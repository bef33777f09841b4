import { describe, expect, it } from 'vitest';
import { printableJson, printableText } from './printable.js';

const hostile = 'a\u001b[31mb\u009b2Jc\rd\u0007e\u202ef\u2066g\u{e0041}h\u007f';

describe('printableText', () => {
  it('removes control characters, carriage returns and changes of direction', () => {
    expect(printableText(hostile)).toBe('ab2Jcdefgh');
    expect(printableText('a\tb\r\nc')).toBe('a\tb\nc');
  });

  it('does not join the halves of an invisible character when the character between them is removed', () => {
    for (const between of ['\r', '\u0000'])
      expect(printableText(`\udb40${between}\udc41`)).toBe('\ufffd\ufffd');
  });
});

describe('printableJson', () => {
  it.each([undefined, 2])(
    'escapes control characters so that the value survives, with indentation %s',
    (indentation) => {
      const value = { [hostile]: [hostile, 'é 日本 👩‍💻', '\udb40'] };
      const text = printableJson(value, indentation);
      expect(JSON.parse(text)).toEqual(value);
      expect(printableText(text)).toBe(text);
      expect(text).toContain('\\udb40\\udc41');
    },
  );

  it('writes null for a value that JSON does not have', () => {
    expect(printableJson(undefined)).toBe('null');
  });
});
