import { toBase64Url } from '@tenon/foundation';
import { describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import type { Opened } from './aes-sealer.js';
import { createSealer, type StateKey } from './sealing.js';

const bytes = (fill: number) => new Uint8Array(32).fill(fill);
const invalid = expect.objectContaining({
  code: -32602,
  message: 'params.requestState: is not valid for this request.',
});

const stateOf = async (opening: Promise<Opened>) => (await opening).state;

describe('sealed state', () => {
  test('opens to the sealed value, and is different each time', async () => {
    const sealer = createSealer({ now: () => 0 });
    const state = { text: 'ø', list: [1, null, { deep: true }] };
    const [one, other] = [await sealer.seal(state, 'b'), await sealer.seal(state, 'b')];
    expect(one).not.toBe(other);
    const opened = await Promise.all([sealer.open(one, 'b'), sealer.open(other, 'b')]);
    expect(opened.map((each) => each.state)).toEqual([state, state]);
    expect(opened[0]?.id).not.toBe(opened[1]?.id);
    expect(await sealer.open(one, 'b')).toMatchObject({ id: opened[0]?.id });
  });

  test('is refused with any one character changed', async () => {
    shows(
      '2026-07-28/basic/patterns/mrtr/state-integrity',
      '2026-07-28/basic/patterns/mrtr/state-unprotected',
      '2026-07-28/index/best-practices',
    );
    const sealer = createSealer({ now: () => 0 });
    const text = await sealer.seal(0, 'b');
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (let at = 0; at < text.length; at++) {
      for (const character of [...alphabet, '=', '+', ' ', '\n']) {
        if (character === text[at]) continue;
        const changed = text.slice(0, at) + character + text.slice(at + 1);
        await expect(sealer.open(changed, 'b'), `${character} at ${at}`).rejects.toEqual(invalid);
      }
    }
    expect(await stateOf(sealer.open(text, 'b'))).toBe(0);
  });

  test('is refused when cut anywhere, extended, or not text', async () => {
    shows('2026-07-28/basic/patterns/mrtr/state-untrusted');
    const sealer = createSealer();
    const text = await sealer.seal(0, 'b');
    for (let length = 0; length < text.length; length++) {
      await expect(sealer.open(text.slice(0, length), 'b')).rejects.toEqual(invalid);
    }
    for (const garbage of [`${text}A`, `${text}=`, `${text}\n`, ` ${text}`, undefined, null, 1, {}, [text]]) {
      await expect(sealer.open(garbage, 'b')).rejects.toEqual(invalid);
    }
  });

  test('is refused for another binding', async () => {
    const sealer = createSealer();
    await expect(sealer.open(await sealer.seal(0, 'one'), 'other')).rejects.toEqual(invalid);
  });

  test('is bounded both ways', async () => {
    const keys = [bytes(1)];
    const small = createSealer({ keys, size: 100 });
    expect(await stateOf(small.open(await small.seal('', 'b'), 'b'))).toBe('');
    await expect(small.seal('x'.repeat(50), 'b')).rejects.toThrow(RangeError);
    const text = await createSealer({ keys }).seal('x'.repeat(50), 'b');
    await expect(small.open(text, 'b')).rejects.toEqual(invalid);
    const fits = createSealer({ keys, size: text.length });
    expect(await stateOf(fits.open(await fits.seal('x'.repeat(50), 'b'), 'b'))).toHaveLength(50);
  });

  test('expires, the sooner of then and now deciding', async () => {
    shows('2026-07-28/basic/patterns/mrtr/state-expiry');
    const keys = [bytes(1)];
    let now = 1_000;
    const sealer = createSealer({ keys, now: () => now, lifetime: 50 });
    const text = await sealer.seal(0, 'b');
    now = 1_049;
    expect(await stateOf(sealer.open(text, 'b'))).toBe(0);
    const stricter = createSealer({ keys, now: () => now, lifetime: 10 });
    await expect(stricter.open(text, 'b')).rejects.toThrow('expired');
    now = 1_050;
    await expect(sealer.open(text, 'b')).rejects.toThrow('expired');
    await expect(createSealer({ keys, now: () => now }).open(text, 'b')).rejects.toThrow('expired');
  });

  test('reports an expired foreign state only as foreign', async () => {
    let now = 0;
    const sealer = createSealer({ now: () => now });
    const text = await sealer.seal(0, 'b');
    now = 1e9;
    await expect(sealer.open(text, 'other')).rejects.toEqual(invalid);
  });
});

describe('keys', () => {
  test('an old key still opens, a removed one does not', async () => {
    const old = await createSealer({ keys: [bytes(1)] }).seal('old', 'b');
    const rotated = createSealer({ keys: [bytes(2), bytes(1)] });
    expect(await stateOf(rotated.open(old, 'b'))).toBe('old');
    const fresh = await rotated.seal('new', 'b');
    await expect(createSealer({ keys: [bytes(1)] }).open(fresh, 'b')).rejects.toEqual(invalid);
    await expect(createSealer({ keys: [bytes(2)] }).open(old, 'b')).rejects.toEqual(invalid);
    expect(await stateOf(createSealer({ keys: [bytes(2)] }).open(fresh, 'b'))).toBe('new');
  });

  test('are random without an option', async () => {
    await expect(createSealer().open(await createSealer().seal(0, 'b'), 'b')).rejects.toEqual(invalid);
  });

  test('may be bytes, hex, base64 or base64url', async () => {
    const raw = Uint8Array.from({ length: 32 }, (_, at) => 255 - at);
    const text = await createSealer({ keys: [raw] }).seal(0, 'b');
    const hex = Array.from(raw, (byte) => byte.toString(16).padStart(2, '0')).join('');
    const base64 = btoa(String.fromCharCode(...raw));
    for (const key of [hex, hex.toUpperCase(), base64, base64.replace('=', ''), toBase64Url(raw)]) {
      expect(await stateOf(createSealer({ keys: [key] }).open(text, 'b'))).toBe(0);
    }
  });

  test('are copied: later changes to the bytes do not matter', async () => {
    const raw = bytes(1);
    const sealer = createSealer({ keys: [raw] });
    raw.fill(9);
    expect(await stateOf(createSealer({ keys: [bytes(1)] }).open(await sealer.seal(0, 'b'), 'b'))).toBe(0);
  });

  test.each<[string, unknown, typeof RangeError | typeof TypeError]>([
    ['no keys', [], RangeError],
    ['no list', 'a'.repeat(64), TypeError],
    ['short bytes', [new Uint8Array(31)], RangeError],
    ['long bytes', [new Uint8Array(33)], RangeError],
    ['a passphrase', ['correct horse battery staple'], RangeError],
    ['empty text', [''], RangeError],
    ['short hex', ['a'.repeat(62)], RangeError],
    ['base64 of 33 bytes', [btoa('x'.repeat(33))], RangeError],
    ['a number', [42], TypeError],
    ['a second key that is null', [bytes(1), null], TypeError],
    ['an array of bytes', [[...bytes(1)]], TypeError],
  ])('that cannot work are refused at construction: %s', (_, keys, kind) => {
    expect(() => createSealer({ keys: keys as StateKey[] })).toThrow(kind);
  });

  test('that are refused are not repeated in the message', () => {
    expect(() => createSealer({ keys: ['my-secret-passphrase'] })).toThrow(
      /^(?!.*my-secret).*stateKeys\[0\]/,
    );
  });

  test.each([{ lifetime: 0 }, { lifetime: Number.NaN }, { size: -1 }])(
    'bounds must be positive: %j',
    (options) => {
      expect(() => createSealer(options)).toThrow(RangeError);
    },
  );
});
