import { expect, test, vi } from 'vitest';
import { hosted, serverWith } from '../../test/hosted.js';

const loaded = vi.hoisted(() => ({ search: false }));
vi.mock('minisearch', (original) => {
  loaded.search = true;
  return original();
});

test('loads the search engine with the first search of a model, and not before', async () => {
  const { host } = hosted({ docs: serverWith('read') }, { policy: () => 'allow' });
  await host.tools({ for: 'anthropic', deferred: true });
  const call = (name: string, input: object) => host.run([{ type: 'tool_use', id: 'c', name, input }]);
  await call('describe_tool', { name: 'docs__read' });
  expect(loaded.search).toBe(false);
  expect(await call('search_tools', { query: 'read' })).toMatchObject([
    { content: [{ text: expect.stringContaining('docs__read') }] },
  ]);
  expect(loaded.search).toBe(true);
});
