import { textOf } from '@tenon/mcp-client';
import { describe, expect, test } from 'vitest';
import { DevRun, toolsServer } from './dev-project.js';

const transports = ['http', 'stdio'] as const;

/** The tests of a reload with clients of these revisions. */
export function describeReloads(revisions: readonly string[]): void {
  describe.each(transports)('tenon dev over %s', (transport) => {
    test.each(revisions)('keeps the session and announces changed tools in %s', async (revision) => {
      const run = await DevRun.start({ 'server.ts': toolsServer({ greet: 'one', old: 'x' }) }, { transport });
      const states: string[] = [];
      const client = await run.connect({ revision, onStateChange: ({ state }) => states.push(state) });
      expect(textOf((await client.callTool('greet')).content)).toBe('one');
      let changed = () => {};
      const change = new Promise<void>((resolve) => {
        changed = resolve;
      });
      await client.watch({ tools: true }, ({ kind }) => {
        if (kind === 'tools') changed();
      });
      const before = states.length;
      await run.save(toolsServer({ greet: 'two', fresh: 'y' }));
      const { changes, files } = await run.next('reloaded');
      expect({ changes, files }).toEqual({
        changes: [{ list: 'tools', added: ['fresh'], removed: ['old'], changed: [] }],
        files: ['server.ts'],
      });
      await change;
      expect((await client.tools().all()).map(({ name }) => name)).toEqual(['greet', 'fresh']);
      expect(textOf((await client.callTool('greet')).content)).toBe('two');
      expect(states.slice(before)).toEqual([]);
    });
  });
}
