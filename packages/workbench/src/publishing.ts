import { jsonIn } from '@tenon/foundation';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { Catalog } from './catalog/catalog.js';
import { WorkbenchError } from './failures/workbench-error.js';
import { checkDocument } from './publishing/checks/check-document.js';
import { checkManifest, isBundleManifest } from './publishing/checks/check-manifest.js';
import { checkLive, checkPackage, checkSecrets } from './publishing/checks/check-package.js';
import { checkServerJson } from './publishing/checks/check-server-json.js';
import { Findings, type Members, type PublishFinding, textAt } from './publishing/checks/findings.js';
import { PublishFolder } from './publishing/checks/publish-folder.js';
import { isPublicUrl } from './publishing/documents/document-source.js';
import { serverCardSchema } from './publishing/documents/server-card-schema.js';
import { type PackageFacts, packageFacts } from './publishing/package-facts.js';

export { type CheckedDocument, checkDocument } from './publishing/checks/check-document.js';
export { checkSecrets } from './publishing/checks/check-package.js';
export type { PublishFinding } from './publishing/checks/findings.js';
export type { DocumentSource } from './publishing/documents/document-source.js';
export { mcpbManifest } from './publishing/documents/mcpb-manifest.js';
export { mcpbSchema } from './publishing/documents/mcpb-schema.js';
export { serverCardSchema } from './publishing/documents/server-card-schema.js';
export { serverCard, serverJson } from './publishing/documents/server-json.js';
export { serverJsonSchema } from './publishing/documents/server-json-schema.js';

/** The files of a folder that describe a server. */
export interface PublishFiles {
  readonly folder: PublishFolder;
  readonly facts: PackageFacts | undefined;
  readonly serverJson: Members | undefined;
  /** The manifest of a bundle. */
  readonly manifest: Members | undefined;
  readonly card: Members | undefined;
  readonly readme: string | undefined;
  /** The names of the files that were found. */
  readonly names: readonly string[];
  /** Problems of files that are not JSON, and credentials. */
  readonly findings: readonly PublishFinding[];
}

/**
 * Reads the files of a folder that describe a server: package.json, server.json, manifest.json, server-card.json and README.md.
 * @param path - an absolute path.
 * @throws WorkbenchError `usage` if a file cannot be read.
 */
export async function readPublishFiles(path: string): Promise<PublishFiles> {
  const folder = new PublishFolder(path);
  const findings: PublishFinding[] = [];
  const names: string[] = [];
  const read = async (name: string): Promise<string | undefined> => {
    const text = await folder.text(name);
    if (text !== undefined) names.push(name);
    return text;
  };
  const json = async (name: string): Promise<Members | undefined> => {
    const text = await read(name);
    if (text === undefined) return undefined;
    findings.push(...checkSecrets(name, text));
    const value = parsed(text);
    if (value !== undefined) return value;
    findings.push(notJson(name));
    return undefined;
  };
  const manifestOfPackage = await json('package.json');
  const serverJson = await json('server.json');
  const manifest = await json('manifest.json');
  const card = await json('server-card.json');
  const readme = await read('README.md');
  if (readme !== undefined) findings.push(...checkSecrets('README.md', readme));
  return {
    ...{ folder, serverJson, card, readme, names, findings },
    facts: manifestOfPackage === undefined ? undefined : packageFacts(manifestOfPackage),
    manifest: manifest !== undefined && isBundleManifest(manifest) ? manifest : undefined,
  };
}

/**
 * Checks the files against each other and, if given, against the running server.
 * @throws WorkbenchError `usage` if there is no file to check.
 */
export async function checkPublishing(
  files: PublishFiles,
  catalog: Catalog | undefined,
): Promise<readonly PublishFinding[]> {
  const { folder, facts, serverJson, manifest, card, readme } = files;
  const hasBroken = files.findings.some(({ rule }) => rule === 'json');
  if (serverJson === undefined && manifest === undefined && card === undefined && !hasBroken) {
    throw new WorkbenchError(
      'usage',
      `There is no server.json, manifest.json or server-card.json in ${folder.path}.`,
      {
        hint: 'Make one: tenon card --format server.json --output server.json -- node dist/main.js',
      },
    );
  }
  return [
    ...files.findings,
    ...(facts === undefined ? [] : await checkPackage(facts, { folder, readme })),
    ...(serverJson === undefined ? [] : await checkServerJson({ document: serverJson, facts, readme })),
    ...(manifest === undefined ? [] : await checkManifest({ document: manifest, facts, folder })),
    ...(card === undefined ? [] : await checkCard(card, serverJson)),
    ...(catalog === undefined ? [] : checkLive(catalog, { facts, manifest })),
  ];
}

async function checkCard(card: Members, serverJson: Members | undefined): Promise<readonly PublishFinding[]> {
  const file = 'server-card.json';
  const findings = new Findings(file);
  const bySchema = await checkDocument({
    ...{ file, value: card, schema: serverCardSchema, unknownMembers: 'warning' },
  });
  for (const member of ['name', 'version']) {
    const own = textAt(card, member);
    const other = textAt(serverJson, member);
    if (own === undefined || other === undefined || own === other) continue;
    findings.error(`${member}-differs`, {
      path: `/${member}`,
      message: `The ${member} is ${own}, and that of server.json ${other}.`,
      fix: `Write the same ${member} in both files.`,
    });
  }
  const remotes: readonly unknown[] = Array.isArray(card.remotes) ? card.remotes : [];
  remotes.forEach((remote, index) => {
    const url = textAt(remote, 'url') ?? '';
    if (url.startsWith('{') || isPublicUrl(url.replaceAll(/\{[^}]*\}/g, 'x'))) return;
    findings.warn('remote-url', {
      path: `/remotes/${index}/url`,
      message: `${url} is not a public HTTPS address.`,
      fix: 'Write the address under which clients reach the server.',
    });
  });
  return [...bySchema, ...findings.list];
}

function parsed(text: string): Members | undefined {
  const value = jsonIn(text);
  return isObject(value) ? value : undefined;
}

function notJson(file: string): PublishFinding {
  return {
    ...{ rule: 'json', severity: 'error', file },
    message: 'The file is not a JSON object.',
    fix: 'Correct its syntax: comments and commas at the end of a list are not allowed.',
  };
}
