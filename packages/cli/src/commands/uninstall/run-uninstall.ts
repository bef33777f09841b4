import { clientOf, installedText, planUninstall } from '@tenon/mcp-workbench/clients';
import type { CommandContext } from '../../context.js';
import { environmentOf } from '../../server/client-environment.js';
import { type FinishOptions, finishPlan } from '../install/finish-plan.js';

/** Options of `tenon uninstall`. */
export interface UninstallOptions extends FinishOptions {
  readonly project?: true;
}

/** Shows the change that removes a server from a client, and makes it with `--yes`. */
export async function runUninstall(
  words: { readonly client: string; readonly name: string },
  options: UninstallOptions,
  { terminal }: CommandContext,
): Promise<void> {
  const environment = environmentOf(terminal.source);
  const client = clientOf(words.client);
  const scope = options.project === true ? 'project' : 'user';
  const plan = await planUninstall(
    { client, scope, name: words.name },
    await installedText({ client, scope }, environment),
    environment,
  );
  await finishPlan(plan, options, { terminal, environment, isForeign: false });
}
