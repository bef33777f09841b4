import { TransportError } from '@tenon/mcp-protocol';
import { expect, it } from 'vitest';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { ResultRequest } from './result-request.js';
import type { TaskRequests } from './task-requests.js';

/** A request for a result, with an answer for each time that it is sent. */
function requested(...answers: (() => Promise<object>)[]) {
  const requests = { result: () => answers.shift()?.() } as unknown as TaskRequests;
  const onSettled = () => {};
  return new ResultRequest(requests, { clock: new FakeClock(), failures: 3, onSettled });
}

const lost = () => Promise.reject(new TransportError('The stream cannot be resumed.', { status: 400 }));

it('is sent again when its stream was lost before the task has ended', async () => {
  const request = requested(lost, async () => ({ content: [] }));
  request.open(false);
  await settled();
  expect(request.outcome).toBeUndefined();
  request.open(true);
  await settled();
  expect(request.outcome).toEqual({ value: { content: [] } });
});

it('fails when the server refuses it after the end of the task', async () => {
  const request = requested(lost);
  request.open(true);
  await settled();
  expect(request.outcome).toMatchObject({ error: { status: 400 } });
});
