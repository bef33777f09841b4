import { WorkbenchError } from '@tenon/mcp-workbench';
import { checkConformance, type SuiteProgram } from '@tenon/mcp-workbench/conformance';
import type { CommandContext } from '../../context.js';
import { chosenServer } from '../../server/chosen-server.js';
import type { Terminal } from '../../terminal/terminal.js';
import { clientInfo } from '../../version.js';
import type { ConformanceFlags } from './conformance-flags.js';
import { conformanceLines, totals } from './conformance-lines.js';

/** The command line of `tenon conformance`. */
export interface ConformanceLine extends CommandContext {
  readonly words: readonly string[];
  readonly options: ConformanceFlags;
}

/** Runs the suite, and prints a line for each scenario. @throws WorkbenchError `findings` if one fails. */
export async function runConformance(line: ConformanceLine): Promise<void> {
  const { terminal, signal, options } = line;
  const { config, download, node, suiteVersion, timeout, json, ...selection } = options;
  const server = { header: {}, env: {}, transport: 'auto', ...(config !== undefined && { config }) } as const;
  const { target } = await chosenServer(line.words, server, line);
  if (target.kind === 'command') {
    throw new WorkbenchError('usage', 'The conformance suite tests servers over HTTP only, not commands.', {
      hint: 'Serve the same server over HTTP at this machine, and give its URL.',
    });
  }
  terminal.status('Connecting ...');
  const report = await checkConformance(target, {
    ...selection,
    ...{ info: clientInfo(), signal, cwd: terminal.source.cwd },
    ...{ nodePath: node, version: suiteVersion, mayDownload: download },
    ...(timeout !== undefined && { timeout: timeout * 1_000 }),
    onProgram: (program) => announce(program, terminal),
    onScenario: (scenario) => terminal.status(`${scenario} ...`),
  });
  terminal.clearStatus();
  if (json) terminal.printJson(report);
  else for (const text of conformanceLines(report, terminal)) terminal.print(text);
  signal.throwIfAborted();
  if (!report.ok) throw new WorkbenchError('findings', `The server does not conform: ${totals(report)}.`);
}

/** Names the packages that are going to be downloaded. */
function announce({ downloads, version }: SuiteProgram, terminal: Terminal): void {
  if (downloads.length > 0)
    terminal.note(
      `Running ${downloads.join(' and ')} with npx, which downloads them unless its cache has them.`,
    );
  terminal.status(`Starting the conformance suite ${version} ...`);
}
