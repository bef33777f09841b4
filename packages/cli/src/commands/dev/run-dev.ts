import { once } from 'node:events';
import { WorkbenchError } from '@tenon/mcp-workbench';
import { type DevTarget, startDev } from '@tenon/mcp-workbench/dev';
import type { CommandContext } from '../../context.js';
import { typeScriptLoader } from '../../server/file-target.js';
import type { DevCommandOptions } from './dev-command-options.js';
import { eventPrinter } from './print-events.js';

interface DevLine extends CommandContext {
  readonly file: string | undefined;
  readonly options: DevCommandOptions;
}

/** Runs a server in development until Ctrl+C, or until the client over stdio leaves. */
export async function runDev(line: DevLine): Promise<void> {
  const { terminal, signal, options } = line;
  const { input, output, env, cwd } = terminal.source;
  const { port, watch = [], envFile } = options;
  const target = targetOf(line);
  const printer = eventPrinter(terminal, { ...options, target });
  const server = await startDev({
    ...{ target, cwd, env, watch, loader: typeScriptLoader() },
    transport: options.stdio === true ? 'stdio' : 'http',
    streams: { input, output },
    ...(port !== undefined && { port }),
    ...(envFile !== undefined && { envFile }),
    onEvent: (event) => printer.print(event),
  });
  if (!signal.aborted) await Promise.race([server.closed, once(signal, 'abort')]);
  await server.close();
  printer.end();
  // Closing is the normal end of this command, but scripts see that it was interrupted.
  signal.throwIfAborted();
}

function targetOf({ file, serverCommand }: DevLine): DevTarget {
  const [command, ...args] = serverCommand;
  if (file !== undefined) return { kind: 'file', file, args: serverCommand };
  if (command !== undefined) return { kind: 'command', command, args };
  throw new WorkbenchError('usage', 'No server is named.', {
    hint: 'Write its file: tenon dev server.ts. Or a command: tenon dev --stdio -- python server.py',
  });
}
