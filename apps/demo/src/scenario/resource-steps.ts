import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Change, textOf, type WatchFilter } from '@tenon/mcp-client';
import { writeTrees } from './desk-files.js';
import type { expectations } from './expectations.js';
import { refusal } from './outcomes.js';
import type { Stage, Steps } from './stage.js';
import type { NotesClient } from './transports.js';

/** Resources: reading them, and hearing of what happens to the files behind them. */
export const resourceSteps: Steps<typeof expectations.resources> = {
  'resources/list': (stage) => listed(stage),
  pagination: async ({ client }) => {
    let pages = 0;
    let cursor: string | undefined;
    do {
      const { nextCursor } = await client.resources().page(cursor);
      cursor = nextCursor;
      pages++;
    } while (cursor !== undefined);
    return `${pages} pages`;
  },
  templates: async ({ client }) => {
    const templates = await client.resourceTemplates().all();
    return `${templates.filter(({ uriTemplate }) => uriTemplate === 'notes://{name}').length} listed`;
  },
  'resources/read': async ({ client }) => {
    const { contents } = await client.readResource('notes://groceries');
    if (contents[0]?.mimeType !== 'text/markdown') return JSON.stringify(contents);
    return `${textOf(contents).trimEnd().split('\n').length} lines`;
  },
  'not found': ({ client }) => refusal(client.readResource('notes://nowhere'), 'not found'),
  'no way out': async ({ client, desk }) => {
    await writeTrees(desk);
    return refusal(client.readResource('notes://..%2Fdesk%2Ftrees'), 'not found');
  },
  'resource updated': async ({ client, folder }) => {
    const edit = () => appendFile(join(folder, 'plans.md'), '- oil the bench\n');
    const change = await changeAfter(client, { uris: ['notes://plans'] }, edit);
    if (change.kind !== 'resource') return change.kind;
    const { contents } = await client.readResource(change.uri);
    return textOf(contents).includes('oil') ? change.uri.slice(8) : 'stale';
  },
  'list changed': async (stage) => {
    const drop = () => writeFile(join(stage.folder, 'recipes.md'), '# Recipes\n');
    const { kind } = await changeAfter(stage.client, { resources: true }, drop);
    return kind === 'resources' ? listed(stage) : kind;
  },
};

async function listed({ client }: Stage): Promise<string> {
  return `${(await client.resources().all()).length} listed`;
}

/** The first change that is heard of once something was done. */
async function changeAfter(
  client: NotesClient,
  filter: WatchFilter,
  act: () => Promise<void>,
): Promise<Change> {
  let tell: (change: Change) => void = () => {};
  const told = new Promise<Change>((resolve) => {
    tell = resolve;
  });
  const watch = await client.watch(filter, tell);
  await act();
  const change = await told;
  await watch.close();
  return change;
}
