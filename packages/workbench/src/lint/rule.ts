import type { LintLimits } from './limits.js';
import type { LintSubject } from './subject.js';

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
