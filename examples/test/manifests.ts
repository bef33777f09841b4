import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

/** A value of a YAML file, of which a test knows the shape. */
export type Manifest = Readonly<Record<string, unknown>> & {
  readonly kind: string;
  readonly apiVersion: string;
};

const examples = fileURLToPath(new URL('../', import.meta.url));
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

/** Returns the text of a file below `examples/`. */
export function textOf(path: string): string {
  return readFileSync(join(examples, path), 'utf8');
}

/** Returns the documents of a YAML file. Throws for errors and warnings, such as a key that occurs twice. */
export function documentsOf(path: string): readonly Manifest[] {
  return parseAllDocuments(textOf(path), { merge: true }).map((document) => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) throw problem;
    return document.toJS() as Manifest;
  });
}

/** Checks manifests against the types of Kubernetes: unknown, misspelt and missing members. Returns the errors of the compiler. */
export function problemsOf(manifests: readonly Manifest[]): string {
  // Below node_modules, so that the compiler finds the types.
  const cache = join(examples, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'manifests-'));
  try {
    const lines = manifests.map((manifest, index) => {
      const from = `import('kubernetes-types/${moduleOf(manifest.apiVersion)}').${manifest.kind}`;
      return `export const manifest${index}: ${from} = ${JSON.stringify(manifest, undefined, 2)};`;
    });
    const file = join(folder, 'manifests.ts');
    writeFileSync(file, lines.join('\n'));
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--ignoreConfig',
    ];
    const { stdout } = spawnSync(process.execPath, [tsc, ...options, file], { encoding: 'utf8' });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the module of an API version: `apps/v1`, `core/v1` for `v1`, `networking/v1` for `networking.k8s.io/v1`. */
function moduleOf(apiVersion: string): string {
  const [group = '', version] = apiVersion.split('/');
  return version === undefined ? `core/${group}` : `${group.split('.')[0]}/${version}`;
}
