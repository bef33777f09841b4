import { secrecyOf } from '@tenon/foundation/redaction';
import { isPublicUrl } from '../documents/document-source.js';
import { publisherMeta, serverJsonSchema, serverJsonUri } from '../documents/server-json-schema.js';
import type { PackageFacts } from '../package-facts.js';
import { checkDocument } from './check-document.js';
import { Findings, type Members, objectAt, objectsAt, type PublishFinding, textAt } from './findings.js';

/** A `server.json` and its surroundings. */
interface ServerJsonCheck {
  readonly document: Members;
  readonly facts: PackageFacts | undefined;
  readonly readme: string | undefined;
}

/**
 * Checks a `server.json` by its schema and by the rules of the official registry.
 * @see https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/official-registry-requirements.md
 */
export async function checkServerJson(check: ServerJsonCheck): Promise<readonly PublishFinding[]> {
  const { document } = check;
  const file = 'server.json';
  const findings = new Findings(file);
  const bySchema = await checkDocument({
    ...{ file, value: document, schema: serverJsonSchema, unknownMembers: 'warning' },
  });
  checkFormat(document, findings);
  checkName(check, findings);
  const { facts } = check;
  const version = textAt(document, 'version');
  checkVersion(version, '/version', findings);
  if (facts?.version !== undefined && version !== undefined && version !== facts.version) {
    findings.error('version-differs', {
      path: '/version',
      message: `The version is ${version}, and that of package.json ${facts.version}.`,
      fix: `Write the same version in both files, such as ${facts.version}.`,
    });
  }
  objectsAt(document, 'packages').forEach((one, index) => {
    checkPackage(one, { check, findings, path: `/packages/${index}` });
  });
  objectsAt(document, 'remotes').forEach((one, index) => {
    checkRemote(one, `/remotes/${index}`, findings);
  });
  if (document.packages === undefined && document.remotes === undefined) {
    findings.error('no-way', {
      message: 'There is neither a package nor a URL: clients cannot reach the server.',
      fix: 'Add "packages" or "remotes": tenon card makes them.',
    });
  }
  return [...bySchema, ...findings.list];
}

function checkFormat(document: Members, findings: Findings): void {
  const uri = textAt(document, '$schema');
  if (uri !== undefined && uri !== serverJsonUri) {
    findings.warn('old-format', {
      path: '/$schema',
      message: 'The file names another version of the format than tenon checks.',
      fix: `Write ${serverJsonUri}.`,
    });
  }
  const { [publisherMeta.key]: kept, ...dropped } = objectAt(document, '_meta');
  const names = Object.keys(dropped);
  if (names.length > 0) {
    findings.warn('meta-dropped', {
      path: '/_meta',
      message: `The official registry drops ${names.map((name) => `"${name}"`).join(', ')}.`,
      fix: `Put the data below "${publisherMeta.key}".`,
    });
  }
  const bytes = kept === undefined ? 0 : Buffer.byteLength(JSON.stringify(kept));
  if (bytes > publisherMeta.bytes) {
    findings.error('meta-too-large', {
      path: '/_meta',
      message: `The metadata of the publisher has ${bytes} bytes; ${publisherMeta.bytes} are allowed.`,
      fix: 'Shorten it.',
    });
  }
}

function checkName({ document, facts }: ServerJsonCheck, findings: Findings): void {
  const name = textAt(document, 'name');
  if (name === undefined) return;
  const [namespace = ''] = name.split('/');
  const isDomain = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i.test(namespace);
  if (!isDomain) {
    findings.error('namespace', {
      path: '/name',
      message: `"${namespace}" is not a domain in reverse order.`,
      fix: 'Begin with io.github.USER for GitHub, or with your domain in reverse order: com.example/name.',
    });
  }
  const owner = /^io\.github\.(.+)$/i.exec(namespace)?.[1];
  const known = facts?.repository?.source === 'github' ? facts.repository.owner : undefined;
  if (owner !== undefined && known !== undefined && owner.toLowerCase() !== known.toLowerCase()) {
    findings.warn('owner-differs', {
      path: '/name',
      message: `The name belongs to ${owner} at GitHub, and the repository to ${known}.`,
      fix: `Publish with an account that may act for ${owner}, or use io.github.${known}.`,
    });
  }
}

interface PackagePlace {
  readonly check: ServerJsonCheck;
  readonly findings: Findings;
  readonly path: string;
}

function checkPackage(one: Members, place: PackagePlace): void {
  const { findings, path } = place;
  const type = textAt(one, 'registryType');
  const identifier = textAt(one, 'identifier') ?? '';
  checkVersion(textAt(one, 'version'), `${path}/version`, findings);
  checkBaseUrl(one, type, place);
  if (type === 'npm') checkNpm(one, identifier, place);
  else if (type === 'mcpb') checkBundle(one, identifier, place);
  else if (type === 'oci') checkImage(one, identifier, place);
  else if (type === 'pypi' || type === 'nuget' || type === 'cargo') checkMention(type, place);
  else if (type !== undefined && type !== 'go') {
    findings.error('registry-type', {
      path: `${path}/registryType`,
      message: `The official registry does not know "${type}".`,
      fix: 'Use npm, pypi, nuget, cargo, oci, mcpb or go.',
    });
  }
  for (const list of ['environmentVariables', 'packageArguments', 'runtimeArguments'])
    checkInputs(objectsAt(one, list), `${path}/${list}`, findings);
  if (objectsAt(one, 'runtimeArguments').length > 0 && textAt(one, 'runtimeHint') === undefined) {
    findings.warn('runtime-hint', {
      path,
      message: 'There are runtimeArguments, but no runtime.',
      fix: 'Add "runtimeHint", such as "npx".',
    });
  }
}

const bases: Readonly<Record<string, readonly string[]>> = {
  npm: ['https://registry.npmjs.org'],
  pypi: ['https://pypi.org'],
  cargo: ['https://crates.io'],
  nuget: ['https://api.nuget.org/v3/index.json', 'https://api.nuget.org'],
};

function checkBaseUrl(one: Members, type: string | undefined, { findings, path }: PackagePlace): void {
  const base = textAt(one, 'registryBaseUrl');
  const allowed = type === undefined || !Object.hasOwn(bases, type) ? undefined : bases[type];
  if (base === undefined || allowed === undefined || allowed.includes(base.replace(/\/$/, ''))) return;
  findings.error('registry-url', {
    path: `${path}/registryBaseUrl`,
    message: `The official registry accepts ${type} packages of ${allowed[0]} only.`,
    fix: 'Remove "registryBaseUrl".',
  });
}

function checkNpm(one: Members, identifier: string, { check, findings, path }: PackagePlace): void {
  const { facts, document } = check;
  if (facts === undefined || facts.name === undefined) return;
  if (identifier !== facts.name) {
    findings.warn('package-differs', {
      path: `${path}/identifier`,
      message: `The package is "${identifier}", and package.json has the name "${facts.name}".`,
      fix: `Write "${facts.name}", if the package is this one.`,
    });
    return;
  }
  const name = textAt(document, 'name');
  if (facts.mcpName !== name) {
    const found = facts.mcpName === undefined ? 'has no "mcpName"' : `has the mcpName "${facts.mcpName}"`;
    findings.error('mcp-name', {
      path: '/name',
      message: `package.json ${found}. The registry requires the name of the server there.`,
      fix: `Add to package.json: "mcpName": "${name}", and publish the package with it first.`,
    });
  }
  const version = textAt(one, 'version');
  if (version === undefined || version !== facts.version) {
    findings.error('version-differs', {
      path: `${path}/version`,
      message: `The version of the package is ${version ?? 'missing'}, and that of package.json ${facts.version}.`,
      fix: `Write "version": "${facts.version}".`,
    });
  }
  if (facts.isPrivate) {
    findings.error('private-package', {
      path,
      message: 'package.json has "private": true: npm does not publish it.',
      fix: 'Remove "private" from package.json, or the package from server.json.',
    });
  }
}

function checkBundle(one: Members, identifier: string, { findings, path }: PackagePlace): void {
  if (textAt(one, 'fileSha256') === undefined) {
    findings.error('bundle-digest', {
      path,
      message: 'A bundle needs the SHA-256 digest of its file.',
      fix: 'Add "fileSha256": openssl dgst -sha256 FILE.mcpb prints it.',
    });
  }
  const isRelease = /^https:\/\/(github|gitlab)\.com\/.+\/releases\//.test(identifier);
  if (isRelease && identifier.includes('mcp')) return;
  findings.error('bundle-url', {
    path: `${path}/identifier`,
    message: 'The registry accepts bundles of releases at GitHub and GitLab, with "mcp" in the URL.',
    fix: 'Write the URL of the .mcpb file of a release.',
  });
}

const imageHosts =
  /^(docker\.io|ghcr\.io|quay\.io|mcr\.microsoft\.com|[\w.-]+\.pkg\.dev|[\w.-]+\.azurecr\.io)\//;

function checkImage(one: Members, identifier: string, { findings, path }: PackagePlace): void {
  if (!/(:[\w][\w.-]*|@sha256:[a-f0-9]{64})$/.test(identifier) || /:latest$/.test(identifier)) {
    findings.error('image-tag', {
      path: `${path}/identifier`,
      message: 'The image has no tag of one version.',
      fix: 'Write the version into the identifier: ghcr.io/user/app:1.0.0.',
    });
  }
  if (!imageHosts.test(identifier)) {
    findings.error('image-host', {
      path: `${path}/identifier`,
      message: 'The registry does not accept images of this host.',
      fix: 'Use docker.io, ghcr.io, quay.io, pkg.dev, azurecr.io or mcr.microsoft.com, and write the host.',
    });
  }
  if (one.version === undefined) return;
  findings.warn('image-version', {
    path: `${path}/version`,
    message: 'The version of an image is the tag of its identifier.',
    fix: 'Remove "version".',
  });
}

function checkMention(type: string, { check, findings, path }: PackagePlace): void {
  const { readme, document } = check;
  const name = textAt(document, 'name');
  if (readme === undefined || name === undefined) return;
  const start = readme.indexOf(`mcp-name: ${name}`);
  const next = start === -1 ? undefined : readme.slice(start + `mcp-name: ${name}`.length).charAt(0);
  if (next !== undefined && (next === '' || /[\s<`]/.test(next) || next === '-')) return;
  findings.error('readme-mention', {
    path,
    message: `The README does not have "mcp-name: ${name}", by which the registry verifies ${type} packages.`,
    fix: `Add a line to README.md: mcp-name: ${name}`,
  });
}

function checkRemote(one: Members, path: string, findings: Findings): void {
  const url = textAt(one, 'url') ?? '';
  const variables = objectAt(one, 'variables');
  const used = [...url.matchAll(/\{([a-zA-Z_][a-zA-Z0-9_]*)\}/g)].map(([, name = '']) => name);
  for (const name of used.filter((other) => !Object.hasOwn(variables, other))) {
    findings.error('variable', {
      path: `${path}/url`,
      message: `The variable {${name}} is not declared.`,
      fix: `Add it below "variables": { "${name}": { "description": "..." } }.`,
    });
  }
  const plain = url.replaceAll(/\{[^}]*\}/g, 'x');
  if (!url.startsWith('{') && !isPublicUrl(plain)) {
    findings.error('remote-url', {
      path: `${path}/url`,
      message: `${url} is not a public HTTPS address.`,
      fix: 'Write the address under which everyone reaches the server, with https://.',
    });
  }
  checkInputs(objectsAt(one, 'headers'), `${path}/headers`, findings);
}

function checkInputs(inputs: readonly Members[], path: string, findings: Findings): void {
  inputs.forEach((input, index) => {
    const name = textAt(input, 'name') ?? textAt(input, 'valueHint') ?? '';
    const at = `${path}/${index}`;
    const isSecret = input.isSecret === true;
    if (!isSecret && secrecyOf(name) !== undefined) {
      findings.warn('secret-input', {
        path: at,
        message: `"${name}" seems to be a secret, but is not declared as one.`,
        fix: 'Add "isSecret": true.',
      });
    }
    const fixed = ['value', 'default'].find((member) => {
      const value = textAt(input, member);
      return value !== undefined && !/\{[^}]+\}/.test(value);
    });
    if ((isSecret || secrecyOf(name) !== undefined) && fixed !== undefined) {
      findings.error('secret-value', {
        path: `${at}/${fixed}`,
        message: `"${name}" is a secret, and its ${fixed} is in the file.`,
        fix: 'Remove it, and withdraw the secret if the file was public.',
      });
    }
  });
}

function checkVersion(version: string | undefined, path: string, findings: Findings): void {
  if (version === undefined) return;
  if (/^[\^~<>=*]|\|\||(^|[\s.])[x*](\.|$)|\s-\s|^latest$/i.test(version)) {
    findings.error('version-range', {
      path,
      message: `"${version}" is a range, and not one version.`,
      fix: 'Write one version, such as 1.0.0.',
    });
  } else if (!/^v?\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/.test(version)) {
    findings.warn('version-form', {
      path,
      message: `"${version}" is not a semantic version: it may not be sorted as you expect.`,
      fix: 'Write three numbers, such as 1.0.0.',
    });
  }
}
