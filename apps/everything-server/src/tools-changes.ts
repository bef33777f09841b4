import type { Server } from '@tenon/mcp-server';
import { watchedUri } from './resources.js';

/** Tools that change what the server offers, so that whoever listens hears of it. */
export function addChangeTools(server: Server): void {
  server.tool('test_trigger_tool_change', { description: 'Changes the list of tools for a moment' }, () => {
    server.tool('test_passing_tool', { description: 'Here for a moment' }, () => 'Still here');
    server.removeTool('test_passing_tool');
    return 'The list of tools changed';
  });

  server.tool(
    'test_trigger_prompt_change',
    { description: 'Changes the list of prompts for a moment' },
    () => {
      server.prompt('test_passing_prompt', { description: 'Here for a moment' }, () => 'Still here');
      server.removePrompt('test_passing_prompt');
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
