import { setTimeout as delay } from 'node:timers/promises';
import { type Server, ToolError } from '@tenon/mcp-server';

/** Milliseconds between two steps of a tool that takes time. */
const pause = 50;

/** Tools that log, report progress or fail. */
export function addActivityTools(server: Server): void {
  server.tool(
    'test_tool_with_logging',
    { description: 'Logs three messages while it runs' },
    async (_input, ctx) => {
      ctx.log('info', 'Tool execution started');
      await delay(pause, undefined, { signal: ctx.signal });
      ctx.log('info', 'Tool processing data');
      await delay(pause, undefined, { signal: ctx.signal });
      ctx.log('info', 'Tool execution completed');
      return 'Tool with logging executed successfully';
    },
  );

  server.tool(
    'test_logging_tool',
    { description: 'Logs one message, if the request asks for log messages' },
    async (_input, ctx) => {
      ctx.log('info', 'A message of the request');
      return 'Logged';
    },
  );

  server.tool(
    'test_tool_with_progress',
    { description: 'Reports progress from 0 to 100 while it runs' },
    async (_input, ctx) => {
      ctx.progress(0, 100);
      await delay(pause, undefined, { signal: ctx.signal });
      ctx.progress(50, 100);
      await delay(pause, undefined, { signal: ctx.signal });
      ctx.progress(100, 100);
      return 'Tool with progress executed successfully';
    },
  );

  server.tool('test_error_handling', { description: 'Always fails' }, () => {
    throw new ToolError('This tool intentionally returns an error for testing');
  });

  server.tool(
    'test_reconnection',
    { description: 'Answers once the stream of the call has been closed, where there is one' },
    async (_input, ctx) => {
      ctx.releaseStream(500);
      await delay(2 * pause, undefined, { signal: ctx.signal });
      return 'Reconnection test completed';
    },
  );
}
