import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '@tenon/foundation';
import { redacted, secrecyOf } from '@tenon/foundation/redaction';
import { thorough } from '@tenon/foundation/redaction/thorough';
import type { ClientEnvironment } from '../clients/client-environment.js';
import { type ClientFile, clientFileOf, type McpClient } from '../clients/client-table.js';
import { ConfigError } from '../config-error.js';
import { readConfigFile, writeConfigFile } from '../config-file.js';
import type { ServerEntry } from '../entries/server-entry.js';
import { referencesIn } from '../entries/template.js';
import { memberAt, SyntaxProblem } from '../formats/config-syntax.js';
import { changeConfig, parseConfig, plainOf } from '../formats/config-text.js';
import { changeLines, type TextChange, wholeChange } from './change-lines.js';
import { type InstallPlace, installCommand, installLink } from './install-links.js';
import { type EntryValue, entryValue } from './write-entry.js';

/** A server to install. */
export interface InstallRequest extends InstallPlace {
  readonly entry: ServerEntry;
  /** True to replace another server of the same name. */
  readonly replace?: boolean;
}

/** A change of a configuration file that has not been made. */
export interface InstallPlan {
  readonly client: McpClient;
  readonly name: string;
  readonly file: string;
  readonly scope: 'user' | 'project';
  /** The text of the file; undefined if there is none. */
  readonly before: string | undefined;
  readonly after: string;
  /** True if the file does not exist. */
  readonly isNew: boolean;
  /** True if the file has another server of this name, which the change replaces. */
  readonly replaces: boolean;
  /** The change for people, with `***` for values of variables and headers. */
  readonly change: TextChange;
  /** The link that opens the client to install the server, if the client has such links. It contains all values. */
  readonly link?: string;
  /** The command of the client that makes the same change, if there is one. It contains all values. */
  readonly command?: readonly string[];
  /** The variables and headers with a secret that the file would contain as plain text. */
  readonly plainSecrets: readonly string[];
  /** True if the entry has values of variables or headers as plain text, secret or not: show neither `link` nor `command` then. */
  readonly hasPlainValues: boolean;
}

/**
 * Plans to add a server to the file of a client. Nothing is written.
 * @param before - the text of the file; undefined if there is none.
 * @throws ConfigError if the file has another server of this name, cannot be changed, or cannot express the server.
 */
export async function planInstall(
  { client, scope, name, entry, replace = false }: InstallRequest,
  before: string | undefined,
  environment: ClientEnvironment,
): Promise<InstallPlan> {
  requireName(name);
  const file = clientFileOf(client, scope, environment);
  const value = entryValue(entry, { client, style: file.style, name, platform: environment.platform });
  const old = await entryIn(file, before, name);
  const isSame = isDeepStrictEqual(plainOf(old), plainOf(value));
  if (old !== undefined && !isSame && !replace) {
    throw new ConfigError(`${client.title} already has another server named "${name}" in ${file.path}.`, {
      hint: 'Choose another name with --name, or replace the server with --force.',
    });
  }
  const path = [...file.keys, name];
  const change = (text: string, content: unknown) => changed(file, text, { path, value: content });
  const text = before ?? '';
  const after = isSame ? text : await change(text, value);
  const shown = isSame ? text : await change(text, masked(value));
  const link = installLink(client, name, value);
  const command = installCommand({ client, scope, name }, value);
  return {
    ...{ client, name, scope, before, after, file: file.path, isNew: before === undefined },
    replaces: old !== undefined && !isSame,
    change: await shownChange({
      file,
      path,
      old: isSame ? undefined : old,
      value,
      before: text,
      after: shown,
    }),
    plainSecrets: plainSecretsOf(entry),
    hasPlainValues: !isDeepStrictEqual(plainOf(value), plainOf(masked(value))),
    ...(link !== undefined && { link }),
    ...(command !== undefined && { command }),
  };
}

/**
 * Plans to remove a server from the file of a client. Nothing is written.
 * @throws ConfigError if the file has no such server, or cannot be changed.
 */
export async function planUninstall(
  { client, scope, name }: InstallPlace,
  before: string | undefined,
  environment: ClientEnvironment,
): Promise<InstallPlan> {
  const file = clientFileOf(client, scope, environment);
  const old = await entryIn(file, before, name);
  if (before === undefined || old === undefined) {
    throw new ConfigError(`${client.title} has no server named "${name}" in ${file.path}.`, {
      hint: '"tenon servers" lists the names and files. --project selects the file of this folder.',
    });
  }
  const path = [...file.keys, name];
  const after = await changed(file, before, { path, value: undefined });
  const shown = await changed(file, before, { path, value: masked(old) });
  return {
    ...{ client, name, scope, before, after, file: file.path, isNew: false, replaces: false },
    ...{ plainSecrets: [], hasPlainValues: false },
    change: await shownChange({ file, path, old, value: undefined, before: shown, after }),
  };
}

/** Returns the text of the file that a plan would change; undefined if there is none. @throws ConfigError */
export async function installedText(
  { client, scope }: Omit<InstallPlace, 'name'>,
  environment: ClientEnvironment,
): Promise<string | undefined> {
  return readConfigFile(clientFileOf(client, scope, environment).path);
}

/**
 * Makes the change of a plan. The file keeps its mode, and is never half written; a new file of the user is readable by them alone.
 * @throws ConfigError if the file has changed since, or cannot be written.
 */
export async function applyPlan({ file, scope, before, after }: InstallPlan): Promise<void> {
  if (after === before) return;
  if ((await readConfigFile(file)) !== before) {
    throw new ConfigError(`${file} has changed in the meantime; nothing was written.`, {
      hint: 'Close the program that writes it, and try again.',
    });
  }
  await writeConfigFile(file, after, scope === 'user' ? 0o600 : 0o644);
}

/** Names that all clients accept. */
function requireName(name: string): void {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(name)) return;
  throw new ConfigError(`"${name}" cannot be the name of a server.`, {
    hint: 'Use up to 64 letters, digits, hyphens and underscores: --name NAME',
  });
}

async function entryIn(file: ClientFile, text: string | undefined, name: string): Promise<unknown> {
  if (text === undefined) return undefined;
  try {
    return memberAt(await parseConfig(file.format, text), [...file.keys, name]);
  } catch (error) {
    throw asFailure(error, file);
  }
}

async function changed(
  file: ClientFile,
  text: string,
  change: { readonly path: readonly string[]; readonly value: unknown },
): Promise<string> {
  try {
    return await changeConfig(file.format, text, change);
  } catch (error) {
    throw asFailure(error, file);
  }
}

function asFailure(error: unknown, { path }: ClientFile): unknown {
  if (!(error instanceof SyntaxProblem)) return error;
  return new ConfigError(`${path}:${error.line}: ${error.message}.`, {
    hint: 'Nothing was written. Correct the file, or change it by hand.',
    cause: error,
  });
}

/** The entry of a change, and texts of the file without its values. */
interface ShownChange {
  readonly file: ClientFile;
  readonly path: readonly string[];
  readonly old: unknown;
  readonly value: unknown;
  readonly before: string;
  readonly after: string;
}

/** Returns a change for people. Where a line has more than the entry, it could show values of others: then only the entry is shown. */
async function shownChange({ file, path, old, value, before, after }: ShownChange): Promise<TextChange> {
  const change = changeLines(before, after);
  const unexpected = value === undefined ? 'added' : 'removed';
  const isReplaced = old !== undefined && value !== undefined;
  if (!isReplaced && !change.lines.some(({ kind }) => kind === unexpected)) return change;
  const alone = async (entry: unknown) =>
    entry === undefined ? '' : changed(file, '', { path, value: masked(entry) });
  return wholeChange(await alone(old), await alone(value), change.line);
}

/** Returns an entry with `***` for the values of variables and headers, and for secrets of its command and URL. References stay. */
function masked(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    secretMembers.has(name) && isRecord(member) ? maskedValues(member) : withMarks(thorough(member)),
  ]);
  return Object.fromEntries(members);
}

/** Returns a value with `***` in place of each `[redacted]`. */
function withMarks(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(redacted, '***');
  return Array.isArray(value) ? value.map(withMarks) : value;
}

const secretMembers = new Set(['env', 'envs', 'headers', 'http_headers']);

function maskedValues(values: object): EntryValue {
  const isReference = (value: unknown) =>
    typeof value === 'string' && /^(?:Bearer )?\$(?:\{[^{}]*\}|\w+)$/.test(value);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isReference(value) ? value : '***']),
  );
}

function plainSecretsOf(entry: ServerEntry): string[] {
  const values = entry.kind === 'url' ? entry.headers : entry.env;
  return Object.entries(values)
    .filter(([name, value]) => secrecyOf(name) !== undefined && referencesIn(value).length === 0)
    .map(([name]) => name);
}
