import {
  applyPlan,
  type ClientEnvironment,
  commandLine,
  type InstallPlan,
  shortPath,
  TrustedServers,
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
  /** True if the entry is from a file of a project, or a copy of such an entry: `tenon` asks before it starts the copy. */
  readonly isForeign: boolean;
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
  if (place.isForeign && isChange)
    terminal.note(
      `${terminal.paintError('yellow', 'warning:')} the server is from a file of a project, which another person may have written. ${plan.client.title} starts it with your permissions.`,
    );
  if (options.json === true) {
    if (written) await apply(plan, place);
    return terminal.printJson(jsonOf(plan, written));
  }
  if (!isChange) return terminal.print(`${plan.client.title} has the server "${plan.name}" already.`);
  printChange(plan, place);
  if (written) await apply(plan, place);
  const file = shortPath(plan.file, place.environment);
  if (written) terminal.print(`\nWrote ${file}. Restart ${plan.client.title} if it is running.`);
  else terminal.note(`\nNothing was written. Add --yes to write ${file}.${alternative(plan)}`);
}

/** Makes a change, and remembers whether the server is a copy of one that another person may have written. */
async function apply(plan: InstallPlan, { environment, isForeign }: FinishPlace): Promise<void> {
  // Servers in files of projects need consent anyway.
  if (plan.scope === 'project') return applyPlan(plan);
  const trusted = new TrustedServers(environment);
  if (isForeign) await trusted.setCopy(plan, true);
  await applyPlan(plan);
  if (!isForeign) await trusted.setCopy(plan, false);
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
