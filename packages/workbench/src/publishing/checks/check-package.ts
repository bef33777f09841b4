import { redactThoroughly } from '@tenon/foundation/redaction/thorough';
import type { Catalog } from '../../catalog/catalog.js';
import type { PackageFacts } from '../package-facts.js';
import { Findings, type Members, objectsAt, type PublishFinding, textAt } from './findings.js';
import type { PublishFolder } from './publish-folder.js';

/** Checks the package of a server: its program, its README, and the files that npm would publish. */
export async function checkPackage(
  facts: PackageFacts,
  { folder, readme }: { readonly folder: PublishFolder; readonly readme: string | undefined },
): Promise<readonly PublishFinding[]> {
  const findings = new Findings('package.json');
  const { program, name } = facts;
  if (program === undefined) {
    findings.warn('no-program', {
      message: 'The package has no program: npx cannot start it.',
      fix: 'Add "bin" with the path of the file that serves over stdio.',
    });
  } else if (!(await folder.isFile(program))) {
    findings.error('file-missing', {
      path: '/bin',
      message: `The program ${program} does not exist.`,
      fix: 'Build the package first, or correct the path.',
    });
  } else if ((await folder.head(program, 2)).toString() !== '#!') {
    findings.error('no-interpreter', {
      path: '/bin',
      message: `The program ${program} does not begin with #!, so that shells cannot start it.`,
      fix: 'Write as its first line: #!/usr/bin/env node',
    });
  }
  if (readme === undefined) {
    findings.warn('no-readme', {
      message: 'There is no README.md, which registries show.',
      fix: 'Write how to install and start the server, and what its tools do.',
    });
  } else if (name !== undefined && !readme.includes(name)) {
    findings.warn('readme-name', {
      message: `The README does not mention ${name}.`,
      fix: `Write how to start the server: npx ${name}`,
    });
  }
  if (facts.license === undefined)
    findings.warn('no-license', {
      message: 'The package has no license.',
      fix: 'Add "license", such as "MIT".',
    });
  return findings.list;
}

/** Compares the files with a live server. */
export function checkLive(
  catalog: Catalog,
  { facts, manifest }: { readonly facts: PackageFacts | undefined; readonly manifest: Members | undefined },
): readonly PublishFinding[] {
  const findings = new Findings('package.json');
  const { version } = catalog.server ?? {};
  if (facts?.version !== undefined && version !== undefined && version !== facts.version) {
    findings.warn('server-version', {
      path: '/version',
      message: `The running server says version ${version}, and package.json ${facts.version}.`,
      fix: 'Read the version from package.json when the server is created.',
    });
  }
  const ofManifest = new Findings('manifest.json');
  if (manifest !== undefined) compareTools(catalog, manifest, ofManifest);
  return [...findings.list, ...ofManifest.list];
}

function compareTools(catalog: Catalog, manifest: Members, findings: Findings): void {
  const listed = new Set(objectsAt(manifest, 'tools').map((tool) => textAt(tool, 'name') ?? ''));
  const live = new Set(catalog.tools.map(({ name }) => name));
  const missing = [...live].filter((name) => !listed.has(name));
  const extra = [...listed].filter((name) => !live.has(name));
  if (missing.length > 0 && manifest.tools_generated !== true) {
    findings.error('tools-missing', {
      path: '/tools',
      message: `The server has ${names(missing)}, which the manifest does not list.`,
      fix: 'Make the manifest again: tenon card --format mcpb. Or add "tools_generated": true.',
    });
  }
  if (extra.length > 0) {
    findings.error('tools-unknown', {
      path: '/tools',
      message: `The manifest lists ${names(extra)}, which the server does not have.`,
      fix: 'Remove what is gone, or make the manifest again: tenon card --format mcpb.',
    });
  }
}

function names(all: readonly string[]): string {
  const shown = all.slice(0, 5).join(', ');
  return all.length > 5 ? `${shown} and ${all.length - 5} more` : shown;
}

/** Finds credentials in the text of a file that is published. */
export function checkSecrets(file: string, text: string): readonly PublishFinding[] {
  // References to settings are not credentials.
  const lines = text.split('\n').map((line) => line.replaceAll(/\$\{[^}]*\}/g, ''));
  const found = lines.findIndex((line) => redactThoroughly(line) !== line);
  if (found === -1) return [];
  return [
    {
      ...{ rule: 'secret', severity: 'error', file },
      message: `Line ${found + 1} seems to contain a credential.`,
      fix: 'Remove it, and withdraw the credential if the file was public.',
    },
  ];
}
