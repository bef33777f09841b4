import { describe, expect, it } from 'vitest';
import { post } from '../../test/raw-wire.js';
import { served } from '../../test/served-mount.js';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('a receiver that fails', () => {
  const tooLong = new RangeError('Invalid string length');

  it.each<[string, () => Promise<string>]>([
    [
      'throws',
      () => {
        throw tooLong;
      },
    ],
    ['rejects', () => Promise.reject(tooLong)],
  ])('has its request answered with an internal error when it %s', async (_title, fail) => {
    const { open, application } = await served();
    const stream = await open();
    application.end().receiver.reply = fail;
    expect(await post(await stream.endpoint(), ping)).toMatchObject({ status: 202 });
    expect(await stream.block(2)).toBe(
      'event: message\ndata: {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}',
    );
    expect(application.errors).toEqual([tooLong]);
  });
});
