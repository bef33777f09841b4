import { expect, it } from 'vitest';
import { transportFailure } from './transport-failure.js';

it('names http:// when the server does not speak TLS', () => {
  const raw = '80ECC7:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:ssl3_record.c:350:\n';
  const cause = Object.assign(new Error(raw), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' });
  for (const error of [cause, new TypeError('fetch failed', { cause })])
    expect(transportFailure(error, 'https://127.0.0.1:3000').message).toBe(
      'The request to https://127.0.0.1:3000 failed: the server does not speak TLS at this port; try http:// (ERR_SSL_WRONG_VERSION_NUMBER).',
    );
});
