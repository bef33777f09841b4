import {
  applyPlan,
  type ClientEnvironment,
  commandLine,
  type InstallPlan,
  shortPath,
  visibleText,
} from '@tenon/mcp-workbench/clients';
import type { Terminal } from '../../terminal/terminal.js';

/** Options of commands that change the file of a client. */
export interface FinishOptions {
  readonly yes?: true;
  readonly json?: true;
}

/** The place where a plan is printed. */
interface FinishPlace {
  readonly terminal: Terminal;
  readonly environment: ClientEnvironment;
}

/** Prints the change of a file, and makes it with `--yes`. */
export async function finishPlan(
  plan: InstallPlan,
  options: FinishOptions,
  place: FinishPlace,
): Promise<void> {
  const { terminal } = place;
  const isChange = plan.before !== plan.after;
  const written = isChange && options.yes === true;
  for (const name of plan.plainSecrets) terminal.note(secretWarning(name, terminal));
  if (options.json === true) {
    if (written) await applyPlan(plan);
    return terminal.printJson(jsonOf(plan, written));
  }
  if (!isChange) return terminal.print(`${plan.client.title} has the server "${plan.name}" already.`);
  printChange(plan, place);
  if (written) await applyPlan(plan);
  const file = shortPath(plan.file, place.environment);
  if (written) terminal.print(`\nWrote ${file}. Restart ${plan.client.title} if it is running.`);
  else terminal.note(`\nNothing was written. Add --yes to write ${file}.${alternative(plan)}`);
}

function printChange({ file, isNew, change }: InstallPlan, { terminal, environment }: FinishPlace): void {
  const { paint } = terminal;
  const place = isNew ? ' (new file)' : `:${change.line}`;
  terminal.print(paint('bold', shortPath(file, environment) + place));
  const marks = { removed: '-', added: '+', context: ' ' } as const;
  const styles = { removed: 'red', added: 'green', context: 'dim' } as const;
  for (const { kind, text } of change.lines)
    terminal.print(paint(styles[kind], `${marks[kind]} ${visibleText(text)}`));
}

/** The command of the client is shown if it contains no values. */
function alternative({ command, hasPlainValues, client }: InstallPlan): string {
  if (command === undefined || hasPlainValues) return '';
  return `\nOr with ${client.title}:\n  ${commandLine(command)}`;
}

function secretWarning(name: string, { paintError }: Terminal): string {
  return `${paintError('yellow', 'warning:')} ${name} is stored as plain text. Refer to a variable instead: '${name}=\${${name}}'`;
}

function jsonOf(
  { client, name, file, isNew, replaces, before, after, change, plainSecrets }: InstallPlan,
  written: boolean,
) {
  const changes = before !== after;
  return {
    client: client.id,
    name,
    file,
    isNew,
    replaces,
    changes,
    written,
    plainSecrets,
    diff: change.lines,
  };
}
