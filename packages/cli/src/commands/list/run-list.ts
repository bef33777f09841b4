import { type Catalog, didYouMean, LeftOut, readCatalog, WorkbenchError } from '@tenon/mcp-workbench';
import { requireNoMore } from '../../server/leftover-words.js';
import type { ServerOptions } from '../../server/server-options.js';
import { type ServerLine, withClient } from '../../server/with-client.js';
import { printCatalog } from './print-catalog.js';

/** Options of `tenon list`. */
export interface ListOptions extends ServerOptions {
  readonly tools?: true;
  readonly resources?: true;
  readonly prompts?: true;
  readonly schema?: true;
  readonly all?: true;
}

/** The line of `tenon list`. */
export interface ListLine extends ServerLine {
  readonly options: ListOptions;
}

/** Prints what a server offers, or the entries with a name. */
export async function runList(line: ListLine): Promise<void> {
  const { options, terminal } = line;
  const leftOut = new LeftOut();
  const open = { onError: leftOut.onError };
  await withClient({ ...line, open }, async ({ client, target, words: [name, ...more] }) => {
    requireNoMore(more, 'name');
    const missing: string[] = [];
    const onMissing = ({ message }: Error) =>
      missing.push(`${message}. The server declares this list, and does not have it.`);
    const catalog = selected(await readCatalog(client, { signal: line.signal, onMissing }), options);
    const found = name === undefined ? catalog : named(catalog, name);
    const reasons = [...leftOut.reasons, ...missing];
    if (options.json) {
      terminal.printJson(reasons.length === 0 ? found : { ...found, leftOut: reasons });
      return;
    }
    // A single entry is printed whole.
    const all = options.all === true || (name !== undefined && found.tools.length <= 1);
    printCatalog(found, terminal, { target, all, schema: options.schema === true });
    if (reasons.length > 0) terminal.note(`\n${reasons.join('\n')}`);
  });
}

function selected(catalog: Catalog, { tools, resources, prompts }: ListOptions): Catalog {
  if (!(tools || resources || prompts)) return catalog;
  return {
    ...catalog,
    tools: tools ? catalog.tools : [],
    resources: resources ? catalog.resources : [],
    resourceTemplates: resources ? catalog.resourceTemplates : [],
    prompts: prompts ? catalog.prompts : [],
  };
}

/** Returns the entries with exactly that name, otherwise those that contain it in a name or URI. */
function named(catalog: Catalog, name: string): Catalog {
  const exact = filtered(catalog, (text) => text === name);
  if (namesOf(exact).length > 0) return exact;
  const similar = filtered(catalog, (text) => text.toLowerCase().includes(name.toLowerCase()));
  if (namesOf(similar).length > 0) return similar;
  const hint = didYouMean(name, namesOf(catalog));
  throw new WorkbenchError('usage', `The server lists nothing with the name "${name}".`, {
    ...(hint !== undefined && { hint }),
  });
}

function filtered(catalog: Catalog, fits: (text: string) => boolean): Catalog {
  const { tools, resources, resourceTemplates, prompts } = catalog;
  return {
    ...catalog,
    tools: tools.filter((one) => fits(one.name)),
    resources: resources.filter(({ name, uri }) => fits(name) || fits(uri)),
    resourceTemplates: resourceTemplates.filter(({ name, uriTemplate }) => fits(name) || fits(uriTemplate)),
    prompts: prompts.filter((one) => fits(one.name)),
  };
}

function namesOf({ tools, resources, resourceTemplates, prompts }: Catalog): string[] {
  return [...tools, ...resources, ...resourceTemplates, ...prompts].map(({ name }) => name);
}
