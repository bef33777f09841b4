import { describe, expect, test } from 'vitest';
import { decodeParams, decodeResult, encodeParams, encodeResult } from '../codec/codec.js';
import type { RequestRow } from '../codec/revision.js';
import { object, string } from '../json-rpc/check.js';
import { revision20251125, revision20260728 } from './index.js';

const row: RequestRow = {
  params: object({}, { name: string }),
  result: object({ text: string }),
  encodeParams: (params) => ({ ...params, encoded: true }),
  encodeResult: (result) => ({ ...result, encoded: true }),
  decodeResult: (result) => ({ ...result, decoded: true }),
};
const plain: RequestRow = { params: row.params, result: row.result };

describe('params', () => {
  test('absent ones are seen as empty', () => {
    expect(decodeParams(plain, undefined)).toEqual({ ok: true, value: {} });
    expect(decodeParams({ params: object({ name: string }), result: row.result }, undefined)).toEqual({
      ok: false,
      problem: 'params.name: is required',
    });
  });

  test('name the path of what is wrong', () => {
    expect(decodeParams(row, { name: 1 })).toEqual({ ok: false, problem: 'params.name: expected a string' });
    expect(decodeParams(row, { name: 'x' })).toEqual({ ok: true, value: { name: 'x' } });
  });

  test('are handed on as they are where nothing changes', () => {
    const params = { name: 'x' };
    expect(encodeParams(plain, params)).toBe(params);
    expect(encodeParams(row, params)).toEqual({ name: 'x', encoded: true });
    const decoded = decodeParams(plain, params);
    expect(decoded.ok && decoded.value).toBe(params);
  });
});

describe('results', () => {
  test.each([null, undefined, 'x', 1, []])('%j is none', (result) => {
    const problem = 'result: expected an object';
    expect(decodeResult(revision20251125, plain, result)).toEqual({ ok: false, problem });
  });

  test('name the path of what is wrong', () => {
    const problem = 'result.text: expected a string';
    expect(decodeResult(revision20251125, row, { text: 1 })).toEqual({ ok: false, problem });
  });

  test('lose the stamp of their revision before they are transformed', () => {
    const stamped = { resultType: 'complete', text: 'x' };
    expect(decodeResult(revision20260728, row, stamped)).toEqual({
      ok: true,
      value: { text: 'x', decoded: true },
    });
  });

  test('are encoded before any stamp', () => {
    expect(encodeResult(row, { text: 'x' })).toEqual({ text: 'x', encoded: true });
    const result = { text: 'x' };
    expect(encodeResult(plain, result)).toBe(result);
  });
});
