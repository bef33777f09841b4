import { describe, expect, test } from 'vitest';
import { isBytes, withBase64 } from './base64.js';

describe('withBase64', () => {
  const text = { type: 'text', text: 'a' };
  const image = (data: unknown) => ({ type: 'image', data, mimeType: 'image/png' });
  const bytes = Uint8Array.of(1, 2, 3);

  test('changes nothing where there are no bytes', () => {
    const result = { content: [text, image('AQID')], structuredContent: { data: bytes } };
    expect(withBase64(result)).toStrictEqual(result);
    expect(withBase64(undefined)).toBe(undefined);
  });

  test('encodes bytes in content, resources, messages and tool results, and nowhere else', () => {
    const embedded = (blob: unknown) => ({ type: 'resource', resource: { uri: 'a:b', blob } });
    const toolResult = (data: unknown) => ({ type: 'tool_result', toolUseId: '1', content: [image(data)] });
    const result = (data: unknown) => ({
      content: [text, image(data), embedded(data)],
      contents: [{ uri: 'a:b', blob: data }],
      messages: [
        { role: 'user', content: image(data) },
        { role: 'user', content: [toolResult(data)] },
      ],
    });
    const given = result(bytes);
    expect(withBase64(given)).toStrictEqual(result('AQID'));
    expect(given).toEqual(result(bytes));
    expect(withBase64(result(bytes.buffer))).toEqual(result('AQID'));
    expect(withBase64({ structuredContent: { data: bytes } })).toEqual({
      structuredContent: { data: bytes },
    });
  });

  test('returns a promise when a Blob must be read', async () => {
    const file = new File([bytes], 'dot.png', { type: 'image/png' });
    const encoded = withBase64({ content: [image(file), image(bytes), image(new Blob([])), image(file)] });
    expect(encoded).toBeInstanceOf(Promise);
    expect(await encoded).toEqual({ content: [image('AQID'), image('AQID'), image(''), image('AQID')] });
  });

  test('rejects with the error of a Blob that cannot be read', async () => {
    const gone = new Blob(['x']);
    gone.arrayBuffer = () => Promise.reject(new Error('The file is gone.'));
    await expect(withBase64([image(gone)])).rejects.toThrow('The file is gone.');
  });
});

test.each([
  [Uint8Array.of(1)],
  [Buffer.from('a')],
  [new ArrayBuffer(1)],
  [new Blob([])],
  [new File([], 'a')],
])('recognizes bytes: %s', (value) => {
  expect(isBytes(value)).toBe(true);
});

test.each([['AQID'], [[1, 2]], [{ 0: 1 }], [null], [undefined], [7]])(
  'does not take this for bytes: %j',
  (value) => {
    expect(isBytes(value)).toBe(false);
  },
);
