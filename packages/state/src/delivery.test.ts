import { expect, it } from 'vitest';
import { settled } from '../../testing/src/fake-clock.js';
import { Delivery } from './delivery.js';
import { stateLimits } from './keys.js';

it('counts messages that arrived together with the one in progress', async () => {
  const seen: string[] = [];
  let release = () => {};
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const message = (text: string) => {
    seen.push(text);
    return blocked;
  };
  const delivery = new Delivery({ message, gap: () => seen.push('GAP') }, () => {});
  // One more than wait when the first is delivered.
  for (let index = 0; index < 500; index++) delivery.push(`${index}`);
  await settled();
  for (let index = 499; index < stateLimits.queuedMessages; index++) delivery.push('fits');
  expect(seen).toEqual(['0']);
  delivery.push('exceeds');
  release();
  await settled();
  expect(seen).toEqual(['0', 'GAP']);
  delivery.push('later');
  await settled();
  expect(seen).toEqual(['0', 'GAP', 'later']);
});
