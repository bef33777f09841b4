import { describe, expect, it } from 'vitest';
import { boundedForm } from './bounded-form.js';

const url = 'https://mcp.example/connect';

function sent(body: string | null, type = 'application/x-www-form-urlencoded; charset=utf-8'): Request {
  return new Request(url, { method: 'POST', body, headers: { 'content-type': type } });
}

describe('boundedForm', () => {
  it('reads the fields of a form', async () => {
    const form = await boundedForm(sent('key=%C3%A9+1&key=2'), 100);
    expect(form.getAll('key')).toEqual(['\u00e9 1', '2']);
    expect([...(await boundedForm(sent(null), 100))]).toEqual([]);
  });

  it('accepts a form up to the bound', async () => {
    expect((await boundedForm(sent(`a=${'x'.repeat(98)}`), 100)).get('a')).toHaveLength(98);
    await expect(boundedForm(sent(`a=${'x'.repeat(99)}`), 100)).rejects.toMatchObject({ status: 413 });
  });

  it('stops reading past the bound', async () => {
    let pulled = 0;
    const body = new ReadableStream({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(50));
      },
    });
    const request = new Request(url, {
      ...{ method: 'POST', body, duplex: 'half' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    } as RequestInit);
    await expect(boundedForm(request, 100)).rejects.toThrow('The form has more than 100 bytes.');
    expect(pulled).toBeLessThan(6);
  });

  it.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain', ''])(
    'rejects the type "%s"',
    async (type) => {
      await expect(boundedForm(sent('a=1', type), 100)).rejects.toMatchObject({ status: 415 });
    },
  );
});
