import type { Server } from '@tenon/mcp-server';
import { watchedUri } from '../resources.js';

/** Tools that change the lists of the server, to notify listeners. */
export function addChangeTools(server: Server): void {
  let calls = 0;
  server.tool('test_trigger_tool_change', { description: 'Changes the list of tools for a moment' }, () => {
    const name = `test_passing_tool_${++calls}`;
    server.tool(name, { description: 'Here for a moment' }, () => 'Still here');
    // Entries added and removed within a turn cause no notification.
    setImmediate(() => server.removeTool(name));
    return 'The list of tools changed';
  });

  server.tool(
    'test_trigger_prompt_change',
    { description: 'Changes the list of prompts for a moment' },
    () => {
      const name = `test_passing_prompt_${++calls}`;
      server.prompt(name, { description: 'Here for a moment' }, () => 'Still here');
      setImmediate(() => server.removePrompt(name));
      return 'The list of prompts changed';
    },
  );

  server.tool(
    'test_trigger_resource_change',
    { description: 'Says that the watched resource changed' },
    () => {
      server.resourceUpdated(watchedUri);
      return 'The watched resource changed';
    },
  );
}
