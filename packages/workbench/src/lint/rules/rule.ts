import type { Prompt, Resource, ResourceTemplate, Tool } from '@tenon/mcp-client';
import type { Catalog } from '../../catalog/catalog.js';
import type { LintSubject } from './subject.js';

/** The thresholds of rules; see {@link defaultLintLimits}. */
export interface LintLimits {
  /** Characters of a tool's name. */
  readonly nameLength: number;
  /** Characters of a tool's name with the prefix that clients add: `mcp__NAME__`, with the name that the user gives the server. */
  readonly prefixedNameLength: number;
  /** The least characters of a description. */
  readonly descriptionMin: number;
  /** The most characters of a description. */
  readonly descriptionMax: number;
  /** Characters of the instructions. */
  readonly instructionsLength: number;
  /** Estimated tokens of one tool's definition. */
  readonly tokensPerTool: number;
  /** Estimated tokens of all tools' definitions. */
  readonly tokens: number;
  /** Values of an `enum`. */
  readonly enumValues: number;
  /** Nested levels of a schema. */
  readonly schemaDepth: number;
  /** Characters of a schema as JSON. */
  readonly schemaSize: number;
  /** Bytes of a resource. */
  readonly resourceSize: number;
  /** Estimated tokens of the result of a tool. */
  readonly resultTokens: number;
}

/** The thresholds of rules unless others are chosen. */
export const defaultLintLimits: LintLimits = {
  nameLength: 64,
  prefixedNameLength: 64,
  descriptionMin: 20,
  descriptionMax: 1_024,
  instructionsLength: 2_000,
  tokensPerTool: 1_000,
  tokens: 20_000,
  enumValues: 100,
  schemaDepth: 12,
  schemaSize: 20_000,
  resourceSize: 1_048_576,
  resultTokens: 25_000,
};

/** The weight of a finding: an error breaks clients, a warning costs quality, an info is a note. */
export type LintSeverity = 'error' | 'warning' | 'info';

/** The entry of a server that a finding is about. */
export interface LintPlace {
  readonly kind: 'server' | 'tool' | 'prompt' | 'resource' | 'template' | 'list';
  /** The name of the entry, the URI of a resource, the template, or the method of a list. Empty for the server. */
  readonly name: string;
}

/** A problem that a rule found. */
export interface LintProblem {
  readonly place: LintPlace;
  /** A JSON pointer into the entry (RFC 6901); empty for all of it. */
  readonly pointer: string;
  /** One or two sentences: what is wrong, and what to do. */
  readonly message: string;
}

/** A problem with its rule. */
export interface LintFinding extends LintProblem {
  readonly rule: string;
  readonly severity: LintSeverity;
}

/** One check of a server. */
export interface LintRule {
  /** In kebab-case, unique. */
  readonly id: string;
  /** The severity unless the user chooses another. */
  readonly severity: LintSeverity;
  /** One sentence for the table of the documentation. */
  readonly about: string;
  /** Returns the problems, in the order of the server's entries. It does not throw, whatever the server sent. */
  readonly check: (subject: LintSubject, limits: LintLimits) => Iterable<LintProblem>;
}

/** The place of findings about the server as a whole. */
export const serverPlace: LintPlace = { kind: 'server', name: '' };

/** Returns a text as one part of a JSON pointer. */
export function pointerPart(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Returns a text of the server in quotes, short enough for a message. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text);
}

/** An entry of any list, with its place. */
export type NamedEntry =
  | { readonly place: LintPlace; readonly entry: Tool; readonly kind: 'tool' }
  | { readonly place: LintPlace; readonly entry: Prompt; readonly kind: 'prompt' }
  | { readonly place: LintPlace; readonly entry: Resource; readonly kind: 'resource' }
  | { readonly place: LintPlace; readonly entry: ResourceTemplate; readonly kind: 'template' };

/** Returns the place of a tool. */
export function toolPlace({ name }: Tool): LintPlace {
  return { kind: 'tool', name };
}

/** Returns all entries of a server. */
export function* entriesOf({ tools, prompts, resources, resourceTemplates }: Catalog): Generator<NamedEntry> {
  for (const entry of tools) yield { kind: 'tool', place: toolPlace(entry), entry };
  for (const entry of prompts) yield { kind: 'prompt', place: { kind: 'prompt', name: entry.name }, entry };
  for (const entry of resources)
    yield { kind: 'resource', place: { kind: 'resource', name: entry.uri }, entry };
  for (const entry of resourceTemplates)
    yield { kind: 'template', place: { kind: 'template', name: entry.uriTemplate }, entry };
}

/** A part of a server that rules look at. */
interface RuledThing {
  readonly place: LintPlace;
  /** The pointer of the thing in its entry. Default: the entry itself. */
  readonly at?: string;
}

/** A rule that finds at most one problem in each of some things. */
interface OneProblem<Thing> extends Pick<LintRule, 'id' | 'severity' | 'about'> {
  /** The place in the thing. Default: all of it. */
  readonly pointer?: string;
  /** Returns the message, with a pointer if the place is another one; undefined if there is no problem. */
  readonly problem: (
    thing: Thing,
    limits: LintLimits,
    subject: LintSubject,
  ) => string | Omit<LintProblem, 'place'> | undefined;
}

type RuleMaker<Thing> = (rule: OneProblem<Thing>) => LintRule;

/** Returns the function that makes rules about some things of a server, one after the other. */
export function rulesOf<Thing extends RuledThing>(
  things: (subject: LintSubject) => Iterable<Thing>,
): RuleMaker<Thing> {
  return ({ problem, pointer = '', ...rule }) => ({
    ...rule,
    *check(subject, limits) {
      for (const thing of things(subject)) {
        const found = problem(thing, limits, subject);
        if (found === undefined) continue;
        const { pointer: at, message } = typeof found === 'string' ? { pointer, message: found } : found;
        yield { place: thing.place, pointer: `${thing.at ?? ''}${at}`, message };
      }
    },
  });
}

/** Makes a rule about each tool. */
export const toolRule: RuleMaker<{ readonly place: LintPlace; readonly tool: Tool }> = rulesOf(
  ({ catalog }) => catalog.tools.map((tool) => ({ place: toolPlace(tool), tool })),
);

/** Makes a rule about each entry of any list. */
export const entryRule: RuleMaker<NamedEntry> = rulesOf(({ catalog }) => entriesOf(catalog));

/** Makes a rule about the server as a whole. */
export const serverRule: RuleMaker<{ readonly place: LintPlace; readonly catalog: Catalog }> = rulesOf(
  ({ catalog }) => [{ place: serverPlace, catalog }],
);
