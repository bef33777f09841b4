import type { Answer } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { settled } from '../../../../testing/src/fake-clock.js';
import { FakeApplication } from '../../../test/fake-application.js';
import { FakeService, opening, postHeaders, request, stateless } from '../../../test/fake-service.js';
import { fetchHandler } from '../fetch/fetch-handler.js';

const tooLong = new RangeError('Invalid string length');
const ways: readonly [string, () => Answer][] = [
  [
    'throws',
    () => {
      throw tooLong;
    },
  ],
  ['rejects', () => Promise.reject(tooLong)],
];
const internal = { code: -32_603, message: 'Internal error' };

describe.each(ways)('an application that %s', (_title, fail) => {
  it('answers a stateless request with 500 and an internal error', async () => {
    const host = new FakeService({}, new FakeApplication(fail));
    const call = host.post(...stateless(7));
    await call.done();
    expect(call).toMatchObject({ status: 500, json: { id: 7, error: internal } });
    expect(host.application.errors).toEqual([{ error: tooLong, where: 'http' }]);
    await host.service.drain();
  });

  it('answers a request of a session with an internal error', async () => {
    const host = new FakeService({}, new FakeApplication(fail));
    const session = host.open();
    const call = host.post(request(7, 'tools/call'), session);
    await call.done();
    expect(call.json).toMatchObject({ id: 7, error: internal });
    expect(host.application.errors).toEqual([{ error: tooLong, where: 'http' }]);
    expect(host.service.sessions).toBe(1);
  });

  it('answers a request without a session with an internal error', async () => {
    const host = new FakeService({ sessions: false }, new FakeApplication(fail));
    const call = host.post(request(7, 'tools/call'), { 'mcp-protocol-version': '2025-11-25' });
    await call.done();
    expect(call.json).toMatchObject({ id: 7, error: internal });
    expect(host.application.errors).toEqual([{ error: tooLong, where: 'http' }]);
  });

  it('answers a fetch request with an internal error', async () => {
    const application = new FakeApplication(fail);
    const [message, headers] = stateless(7);
    const response = await fetchHandler(application, { allowedHosts: ['localhost'] })(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { ...postHeaders, ...headers, host: 'localhost' },
        body: JSON.stringify(message),
      }),
    );
    expect(await response.json()).toMatchObject({ id: 7, error: internal });
    expect(application.errors).toMatchObject([{ error: tooLong }]);
  });
});

it('drops a session when its handshake fails', async () => {
  const host = new FakeService({ limits: { sessions: 1 } });
  host.application.handshake = () => Promise.reject(tooLong);
  const call = host.post(opening());
  await call.done();
  expect(call.json).toMatchObject({ error: internal });
  expect(host.application.errors).toEqual([{ error: tooLong, where: 'http' }]);
  await settled();
  host.application.handshake = () => undefined;
  expect(host.post(opening()).status).toBe(200);
});
