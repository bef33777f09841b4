import type { AuthProvider } from '@tenon/mcp-client';
import { type UrlServer, WorkbenchError } from '@tenon/mcp-workbench';
import { diagnose } from '@tenon/mcp-workbench/doctor';
import { chosenServer } from '../../server/chosen-server.js';
import type { ServerLine } from '../../server/with-client.js';
import { clientInfo } from '../../version.js';
import type { DoctorOptions } from './doctor-options.js';
import { printStep, totals } from './print-step.js';

/** The command line of `tenon doctor`. */
export interface DoctorLine extends ServerLine {
  readonly options: DoctorOptions;
}

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
