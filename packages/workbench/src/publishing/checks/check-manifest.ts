import { secrecyOf } from '@tenon/foundation/redaction';
import { mcpbSchema } from '../documents/mcpb-schema.js';
import type { PackageFacts } from '../package-facts.js';
import { checkDocument } from './check-document.js';
import { Findings, type Members, objectAt, objectsAt, type PublishFinding, textAt } from './findings.js';
import type { PublishFolder } from './publish-folder.js';

/** A `manifest.json` of an MCPB bundle and its surroundings. */
interface ManifestCheck {
  readonly document: Members;
  readonly facts: PackageFacts | undefined;
  readonly folder: PublishFolder;
}

/** True for the content of a `manifest.json` that belongs to a bundle, and not to a web application. */
export function isBundleManifest(document: Members): boolean {
  return document.manifest_version !== 3 && document.manifest_version !== 2
    ? textAt(document, 'manifest_version') !== undefined ||
        textAt(document, 'dxt_version') !== undefined ||
        textAt(objectAt(document, 'server'), 'entry_point') !== undefined
    : false;
}

/** Checks the manifest of a bundle. @see https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md */
export async function checkManifest(check: ManifestCheck): Promise<readonly PublishFinding[]> {
  const { document, facts } = check;
  const file = 'manifest.json';
  const findings = new Findings(file);
  const bySchema = await checkDocument({
    ...{ file, value: document, schema: mcpbSchema, unknownMembers: 'error' },
  });
  const version = textAt(document, 'version');
  if (version !== undefined && facts?.version !== undefined && version !== facts.version) {
    findings.error('version-differs', {
      path: '/version',
      message: `The version is ${version}, and that of package.json ${facts.version}.`,
      fix: `Write "${facts.version}".`,
    });
  }
  await checkFiles(check, findings);
  checkSettings(document, findings);
  return [...bySchema, ...findings.list];
}

const directory = '${' + '__dirname}';
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

async function checkFiles({ document, folder }: ManifestCheck, findings: Findings): Promise<void> {
  const entry = textAt(objectAt(document, 'server'), 'entry_point');
  if (entry !== undefined)
    await checkFile(folder, { path: '/server/entry_point', name: entry, what: 'The entry point' }, findings);
  const icon = textAt(document, 'icon');
  if (icon !== undefined) await checkIcon(icon, { path: '/icon', folder, findings });
  for (const [index, one] of objectsAt(document, 'icons').entries()) {
    const src = textAt(one, 'src');
    if (src !== undefined) await checkIcon(src, { path: `/icons/${index}/src`, folder, findings });
  }
  const screenshots: readonly unknown[] = Array.isArray(document.screenshots) ? document.screenshots : [];
  for (const [index, name] of screenshots.entries()) {
    if (typeof name !== 'string') continue;
    await checkFile(folder, { path: `/screenshots/${index}`, name, what: 'The screenshot' }, findings);
  }
}

async function checkIcon(
  name: string,
  { path, folder, findings }: { path: string; folder: PublishFolder; findings: Findings },
): Promise<void> {
  if (/^https?:/.test(name) || name.includes(directory)) {
    findings.warn('icon-path', {
      path,
      message: `${name} is not a path in the bundle.`,
      fix: 'Put the icon into the bundle, and write its path, such as icon.png.',
    });
    return;
  }
  await checkFile(folder, { path, name, what: 'The icon' }, findings);
  const head = await folder.head(name, png.length);
  if (head.length === 0 || head.equals(png)) return;
  findings.error('icon-format', {
    path,
    message: `${name} is not a PNG file.`,
    fix: 'Use a PNG, best of 512 × 512 pixels.',
  });
}

async function checkFile(
  folder: PublishFolder,
  { path, name, what }: { readonly path: string; readonly name: string; readonly what: string },
  findings: Findings,
): Promise<void> {
  if (folder.isOutside(name)) {
    findings.error('file-outside', {
      path,
      message: `${what} ${name} is outside the bundle.`,
      fix: 'Write a path below the folder of the manifest.',
    });
  } else if (!(await folder.isFile(name))) {
    findings.error('file-missing', {
      path,
      message: `${what} ${name} does not exist.`,
      fix: 'Build the server first, or correct the path.',
    });
  }
}

function checkSettings(document: Members, findings: Findings): void {
  const settings = objectAt(document, 'user_config');
  const config = objectAt(objectAt(document, 'server'), 'mcp_config');
  const used = new Set(
    [...JSON.stringify(config).matchAll(/\$\{user_config\.([^}]+)\}/g)].map(([, name = '']) => name),
  );
  for (const name of [...used].filter((other) => !Object.hasOwn(settings, other))) {
    findings.error('setting-missing', {
      path: '/server/mcp_config',
      message: `The setting ${name} is used, but not declared.`,
      fix: `Add it below "user_config": { "${name}": { "type": "string", ... } }.`,
    });
  }
  for (const name of Object.keys(settings)) {
    const path = `/user_config/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!used.has(name)) {
      findings.warn('setting-unused', {
        path,
        message: `The setting ${name} is declared, but the server does not receive it.`,
        fix: `Use it in args or env: $\{user_config.${name}}`,
      });
    }
    const { sensitive } = objectAt(settings, name);
    if (sensitive !== true && secrecyOf(name) !== undefined) {
      findings.warn('secret-input', {
        path,
        message: `The setting ${name} seems to be a secret, but is not declared as one.`,
        fix: 'Add "sensitive": true.',
      });
    }
  }
  for (const [name, value] of Object.entries(objectAt(config, 'env'))) {
    if (secrecyOf(name) === undefined || typeof value !== 'string' || value === '' || value.includes('${'))
      continue;
    findings.error('secret-value', {
      path: `/server/mcp_config/env/${name}`,
      message: `The variable ${name} is a secret, and its value is in the file.`,
      fix:
        'Use a setting: ${user_config.' +
        name.toLowerCase() +
        '}. Withdraw the secret if the file was public.',
    });
  }
}
