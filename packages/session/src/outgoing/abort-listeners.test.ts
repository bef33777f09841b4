import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { AbortListeners } from './abort-listeners.js';

test('many requests share one listener on a signal, and leave none behind', () => {
  const { signal } = new AbortController();
  const listeners = new AbortListeners();
  const releases = Array.from({ length: 20 }, () => listeners.add(signal, () => undefined));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  for (const release of releases) release();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('notifies each pending request once, and of its own signal only', () => {
  const [left, right] = [new AbortController(), new AbortController()];
  const listeners = new AbortListeners();
  const heard: string[] = [];
  const release = listeners.add(left.signal, () => heard.push('gone'));
  listeners.add(left.signal, () => heard.push('left'));
  listeners.add(left.signal, () => heard.push('left too'));
  listeners.add(right.signal, () => heard.push('right'));
  release();
  left.abort();
  expect(heard).toEqual(['left', 'left too']);
  right.abort();
  release();
  expect(heard).toEqual(['left', 'left too', 'right']);
});
