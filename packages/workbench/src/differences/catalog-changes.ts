import { isDeepStrictEqual } from 'node:util';
import type { Prompt, Tool } from '@tenon/mcp-client';
import { isObject } from '@tenon/mcp-protocol/internal';
import { type Catalog, type CatalogList, listRow } from '../catalog/catalog.js';
import {
  type ChangeDetail,
  type ChangeSubject,
  changed,
  type ServerChange,
  textChange,
  valueChange,
} from './change.js';
import { schemaChanges } from './schema-changes.js';

/** Returns the differences between two catalogs, in the order of the lists. */
export function catalogChanges(before: Catalog, after: Catalog): readonly ServerChange[] {
  return [
    ...serverChanges(before, after),
    ...capabilityChanges(before, after),
    ...comparedLists.flatMap((row) => listChanges(row, before[row.list], after[row.list])),
  ];
}

/** A list, and the differences of two entries with the same name. */
interface ComparedList {
  readonly list: CatalogList;
  readonly subject: ChangeSubject;
  readonly detailsOf: (before: never, after: never) => readonly ChangeDetail[];
}

const comparedLists: readonly ComparedList[] = [
  { list: 'tools', subject: 'tool', detailsOf: toolDetails },
  { list: 'resources', subject: 'resource', detailsOf: contentDetails },
  { list: 'resourceTemplates', subject: 'template', detailsOf: contentDetails },
  { list: 'prompts', subject: 'prompt', detailsOf: promptDetails },
];

function listChanges(
  { list, subject, detailsOf }: ComparedList,
  before: readonly object[],
  after: readonly object[],
): readonly ServerChange[] {
  const key = (entry: object) => String(Reflect.get(entry, listRow(list).key));
  const [was, is] = [before, after].map((entries) => new Map(entries.map((entry) => [key(entry), entry])));
  const changes: ServerChange[] = [];
  for (const [name, entry] of was ?? []) {
    const now = is?.get(name);
    if (now === undefined) changes.push({ subject, name, change: 'removed', breaking: true, details: [] });
    else changes.push(...changed(subject, name, detailsOf(entry as never, now as never)));
  }
  for (const name of is?.keys() ?? [])
    if (!was?.has(name)) changes.push({ subject, name, change: 'added', breaking: false, details: [] });
  const kept = (entries: readonly object[], other: ReadonlyMap<string, object> | undefined) =>
    entries.map(key).filter((name) => other?.has(name));
  const [first, second] = [kept(before, is), kept(after, was)];
  if (!isDeepStrictEqual(first, second)) {
    const moved = first.flatMap((name, index) => (name === second[index] ? [] : [index]));
    const [from = 0, to] = [moved[0], (moved.at(-1) ?? 0) + 1];
    const text = `${shownNames(second.slice(from, to))}, was ${shownNames(first.slice(from, to))}`;
    const details = [{ path: '', text, breaking: false }];
    changes.push({ subject, name: `all ${subject}s`, change: 'reordered', breaking: false, details });
  }
  return changes;
}

function shownNames(names: readonly string[]): string {
  return names.length <= 4 ? names.join(' ') : `${names.slice(0, 4).join(' ')} ...`;
}

function serverChanges(before: Catalog, after: Catalog): readonly ServerChange[] {
  const details: ChangeDetail[] = [];
  const note = (path: string, was: unknown, is: unknown) => {
    if (!isDeepStrictEqual(was, is)) details.push({ path, text: valueChange(was, is), breaking: false });
  };
  note('name', before.server?.name, after.server?.name);
  note('title', before.server?.title, after.server?.title);
  note('version', before.server?.version, after.server?.version);
  note('revision', before.revision, after.revision);
  const instructions: ChangeDetail[] = isDeepStrictEqual(before.instructions, after.instructions)
    ? []
    : [{ path: '', text: textChange(before.instructions, after.instructions), breaking: false }];
  return [
    ...changed('server', 'server info', details),
    ...changed('instructions', 'instructions', instructions),
  ];
}

function capabilityChanges(before: Catalog, after: Catalog): readonly ServerChange[] {
  const [was, is] = [flagsOf(before.capabilities), flagsOf(after.capabilities)];
  const change = (name: string, kind: 'added' | 'removed'): ServerChange => ({
    subject: 'capability',
    name,
    change: kind,
    breaking: kind === 'removed',
    details: [],
  });
  return [
    ...was.filter((name) => !is.includes(name)).map((name) => change(name, 'removed')),
    ...is.filter((name) => !was.includes(name)).map((name) => change(name, 'added')),
  ];
}

/** Returns the names of declared capabilities, such as `resources.subscribe`. */
function flagsOf(value: unknown, prefix = ''): readonly string[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, setting]) => {
    if (setting === undefined || setting === false) return [];
    const path = prefix === '' ? name : `${prefix}.${name}`;
    return [path, ...(prefix.split('.').length < 3 ? flagsOf(setting, path) : [])];
  });
}

function toolDetails(before: Tool, after: Tool): readonly ChangeDetail[] {
  return [
    ...textDetails(before, after),
    ...hintDetails(before, after),
    ...schemaChanges(before.inputSchema, after.inputSchema, 'input'),
    ...outputDetails(before, after),
  ];
}

function outputDetails({ outputSchema: was }: Tool, { outputSchema: is }: Tool): readonly ChangeDetail[] {
  if (was !== undefined && is !== undefined) return schemaChanges(was, is, 'output');
  if (was === is) return [];
  const isAdded = was === undefined;
  return [{ path: 'output', text: isAdded ? 'schema added' : 'schema removed', breaking: !isAdded }];
}

/** Compares the annotations. Clients approve calls by the first two, so that losing their promise breaks callers. */
function hintDetails(
  { annotations: was = {} }: Tool,
  { annotations: is = {} }: Tool,
): readonly ChangeDetail[] {
  const promises: Readonly<Record<string, boolean>> = { readOnlyHint: true, destructiveHint: false };
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])] as (keyof typeof was)[];
  return names
    .filter((name) => !isDeepStrictEqual(was[name], is[name]))
    .map((name) => ({
      path: `annotations.${name}`,
      text: valueChange(was[name], is[name]),
      breaking: Object.hasOwn(promises, name) && was[name] === promises[name],
    }));
}

function contentDetails<T extends { readonly name: string; readonly mimeType?: string }>(
  before: T,
  after: T,
): readonly ChangeDetail[] {
  const { mimeType: was } = before;
  const { mimeType: is } = after;
  const type =
    was === is ? [] : [{ path: 'mimeType', text: valueChange(was, is), breaking: was !== undefined }];
  return [...textDetails(before, after), ...type];
}

function promptDetails(before: Prompt, after: Prompt): readonly ChangeDetail[] {
  const schemaOf = ({ arguments: given = [] }: Prompt) => ({
    type: 'object',
    properties: Object.fromEntries(given.map(({ name, description }) => [name, { description }])),
    required: given.filter(({ required }) => required === true).map(({ name }) => name),
  });
  return [
    ...textDetails(before, after),
    ...schemaChanges(schemaOf(before), schemaOf(after), 'input').map((detail) => ({
      ...detail,
      path: detail.path.replace(/^input/, 'arguments'),
    })),
  ];
}

function textDetails(before: object, after: object): readonly ChangeDetail[] {
  return ['title', 'description'].flatMap((name) => {
    const [was, is] = [before, after].map((entry) => (entry as Readonly<Record<string, unknown>>)[name]);
    return isDeepStrictEqual(was, is) ? [] : [{ path: name, text: textChange(was, is), breaking: false }];
  });
}
