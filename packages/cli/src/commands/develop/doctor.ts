import type { AuthProvider } from '@tenon/mcp-client';
import { type UrlServer, WorkbenchError } from '@tenon/mcp-workbench';
import { wrapped } from '@tenon/mcp-workbench/calls';
import { type DoctorStep, diagnose, type StepStatus } from '@tenon/mcp-workbench/doctor';
import { clientInfo } from '../../context.js';
import { chosenServer } from '../../server/chosen-server.js';
import type { ServerOptions } from '../../server/server-options.js';
import type { ServerLine } from '../../server/with-client.js';
import type { Style } from '../../terminal/paint.js';
import type { Terminal } from '../../terminal/terminal.js';
import { totalsText, widthBeside } from '../../terminal/texts.js';

/** The options of `tenon doctor`. */
interface DoctorOptions extends ServerOptions {
  readonly origin?: string;
  readonly signIn?: true;
}

type DoctorLine = ServerLine<DoctorOptions>;

/** Prints each step of a diagnosis. @throws WorkbenchError with the reason of the first failed step. */
export async function runDoctor(line: DoctorLine): Promise<void> {
  const { terminal, signal, options } = line;
  const { target } = await chosenServer(line.words, options, line);
  const { origin, revision, timeout, json } = options;
  const auth = target.kind === 'url' ? await signInFor(target, line) : undefined;
  const { steps, ...diagnosis } = await diagnose(target, {
    ...{ info: clientInfo(), auth, origin, revision, signal },
    ...(timeout !== undefined && { timeout: timeout * 1_000 }),
    onStart: (title) => terminal.status(`${title} ...`),
    ...(json === undefined && { onStep: (step) => printStep(terminal, step) }),
  });
  terminal.clearStatus();
  if (json) terminal.printJson({ ...diagnosis, steps });
  else terminal.print(`\n${totals(steps)}`);
  const broken = steps.find(({ status }) => status === 'failed');
  if (broken === undefined) return;
  const { title, summary, reason = 'protocol', fix } = broken;
  // The fix stands above.
  throw new WorkbenchError(
    reason,
    `${title}: ${summary}.`,
    fix === undefined || json === undefined ? {} : { hint: fix },
  );
}

/** Returns the provider with the stored tokens, or with --sign-in the one that opens the browser. */
async function signInFor(
  target: UrlServer,
  { terminal, options }: DoctorLine,
): Promise<AuthProvider | undefined> {
  const { authFor, browserAuth, hasAuthorization } = await import('../../server/sign-in.js');
  if (options.signIn === true && !hasAuthorization(target)) return browserAuth(terminal);
  return authFor(target, { storedAuthOnly: true }, { terminal });
}

const marks: Readonly<Record<StepStatus, { readonly word: string; readonly style: Style }>> = {
  passed: { word: 'ok  ', style: 'green' },
  warned: { word: 'warn', style: 'yellow' },
  failed: { word: 'FAIL', style: 'red' },
  skipped: { word: 'skip', style: 'dim' },
};

const titleWidth = 21;
const indentation = titleWidth + 6;

/** Prints a step: its result in the first line, and below it details and the fix of a warning or a failure. */
function printStep(terminal: Terminal, { status, title, summary, details, fix }: DoctorStep): void {
  const { word, style } = marks[status];
  const { paint } = terminal;
  const width = widthBeside(indentation, terminal);
  const [first = '', ...rest] = wrapped(summary, width);
  const text = status === 'skipped' ? paint('dim', first) : first;
  terminal.print(`${paint(style, word)}  ${title.padEnd(titleWidth)}${text}`);
  const shown = status === 'warned' || status === 'failed' || details.some(isPrinted) ? details : [];
  const below = [
    ...rest,
    ...shown
      .flatMap((line) => (isPrinted(line) ? [line.slice(0, width)] : wrapped(line, width)))
      .map((line) => paint('dim', line)),
    ...(fix === undefined ? [] : wrapped(`fix: ${fix}`, width)).map((line) =>
      line.replace(/^fix:/, paint('cyan', 'fix:')),
    ),
  ];
  for (const line of below) terminal.print(' '.repeat(indentation) + line);
}

/** Lines that a server has printed. */
function isPrinted(line: string): boolean {
  return line.startsWith('| ') || line.startsWith('stderr | ');
}

/** Returns the number of steps of each status, such as `1 failed, 11 passed`. */
export function totals(steps: readonly DoctorStep[]): string {
  const words = ['failed', 'warned', 'passed', 'skipped'] as const;
  return totalsText(words.map((word) => [steps.filter(({ status }) => status === word).length, word]));
}
