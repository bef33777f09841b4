import { resolve } from 'node:path';
import { printableJson } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/mcp-client';
import { revisions } from '@tenon/mcp-protocol';
import { readCatalog, type ServerClient, WorkbenchError } from '@tenon/mcp-workbench';
import {
  type CheckedDocument,
  checkDocument,
  checkSecrets,
  type DocumentSource,
  mcpbManifest,
  mcpbSchema,
  readPublishFiles,
  serverCard,
  serverCardSchema,
  serverJson,
  serverJsonSchema,
} from '@tenon/mcp-workbench/publishing';
import { writeNewFile } from '../../files/files.js';
import type { ServerOptions } from '../../server/server-options.js';
import { type ServerLine, withClient } from '../../server/with-client.js';
import { describeFindings } from './publish-check.js';

/** The documents that `tenon card` makes, and their usual file names. */
const documentFiles = {
  'server.json': 'server.json',
  card: 'server-card.json',
  mcpb: 'manifest.json',
} as const;

/** The options of `tenon card`. */
interface CardOptions extends ServerOptions {
  readonly format: keyof typeof documentFiles;
  readonly output?: string;
  readonly name?: string;
  readonly remote?: string;
  /** The folder of package.json. */
  readonly package?: string;
  readonly force?: true;
}

/** Makes a document of a server, checks it, and prints or writes it. */
export async function runCard(line: ServerLine<CardOptions>): Promise<void> {
  const { options, terminal, signal } = line;
  const { cwd } = terminal.source;
  const { facts } = await readPublishFiles(resolve(cwd, options.package ?? '.'));
  if (facts === undefined && options.format === 'mcpb') {
    throw new WorkbenchError('usage', 'There is no package.json in this folder.', {
      hint: 'Name its folder: --package FOLDER',
    });
  }
  const made = await withClient(line, async ({ client, target }) => {
    const { name, remote } = options;
    return makers[options.format].make({
      catalog: await readCatalog(client, { signal }),
      facts: facts ?? noFacts,
      target,
      revisions: await revisionsOf(client, signal),
      ...(name !== undefined && { name }),
      ...(remote !== undefined && { remote }),
    });
  });
  await requireValid(made, options.format);
  const text = `${printableJson(made, 2)}\n`;
  if (options.output === undefined) return terminal.print(text.trimEnd());
  const file = resolve(cwd, options.output);
  await writeNewFile(file, text, { force: options.force, hint: 'Replace it with --force.' });
  if (options.json) terminal.printJson({ file });
  else terminal.print(`${options.output} written. Check it with the package: tenon publish-check`);
}

const makers: Readonly<
  Record<
    keyof typeof documentFiles,
    { readonly make: (source: DocumentSource) => UnknownObject; readonly schema: CheckedDocument['schema'] }
  >
> = {
  'server.json': { make: serverJson, schema: serverJsonSchema },
  card: { make: serverCard, schema: serverCardSchema },
  mcpb: { make: mcpbManifest, schema: mcpbSchema },
};

async function requireValid(value: UnknownObject, format: keyof typeof documentFiles): Promise<void> {
  const file = documentFiles[format];
  const { schema } = makers[format];
  const findings = [
    ...(await checkDocument({ file, value, schema, unknownMembers: 'error' })),
    ...checkSecrets(file, JSON.stringify(value, undefined, 2)),
  ];
  if (findings.length === 0) return;
  throw new WorkbenchError('findings', `The document would not be valid:\n${describeFindings(findings)}`, {
    hint: 'Complete package.json, or the info of the server.',
  });
}

/** Returns the revisions that a server supports: those that it names, otherwise the one in use. */
async function revisionsOf(client: ServerClient, signal: AbortSignal): Promise<readonly string[]> {
  const { revision } = client;
  const isStateless = revisions.find(({ id }) => id === revision)?.lifecycle === 'stateless';
  if (!isStateless) return [revision];
  const { supportedVersions } = await client.request('server/discover', {}, { signal });
  return supportedVersions;
}

/** The facts of no package. */
const noFacts: DocumentSource['facts'] = {
  ...{ name: undefined, version: undefined, description: undefined, license: undefined },
  ...{ homepage: undefined, bugs: undefined, author: undefined, keywords: [], repository: undefined },
  ...{ mcpName: undefined, isPrivate: false, program: undefined, node: undefined },
};
