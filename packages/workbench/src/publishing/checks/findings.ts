import { isObject } from '@tenon/mcp-protocol/internal';

/** A problem of files that are to be published. */
export interface PublishFinding {
  /** The stable name of the rule. */
  readonly rule: string;
  /** `error`: publishing fails, or the published server does not work. */
  readonly severity: 'error' | 'warning';
  /** The name of the file, such as `server.json`. */
  readonly file: string;
  /** JSON pointer into the file, such as `/packages/0/version`. */
  readonly path?: string;
  readonly message: string;
  /** The change that removes the problem, as a sentence. */
  readonly fix: string;
}

/** A JSON object from a file. */
export type Members = Readonly<Record<string, unknown>>;

/** The parts of a finding, besides its file. */
type Problem = Omit<PublishFinding, 'file'>;

/** Collects the findings of one file. */
export class Findings {
  readonly list: PublishFinding[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  error(rule: string, problem: Omit<Problem, 'rule' | 'severity'>): void {
    this.list.push({ rule, severity: 'error', file: this.#file, ...problem });
  }

  warn(rule: string, problem: Omit<Problem, 'rule' | 'severity'>): void {
    this.list.push({ rule, severity: 'warning', file: this.#file, ...problem });
  }
}

/** Returns a member that is a text; undefined for other values. */
export function textAt(members: unknown, name: string): string | undefined {
  const value = isObject(members) && Object.hasOwn(members, name) ? members[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Returns the objects of a member that is a list. */
export function objectsAt(members: unknown, name: string): readonly Members[] {
  const value = isObject(members) && Object.hasOwn(members, name) ? members[name] : undefined;
  return Array.isArray(value) ? value.map((item) => (isObject(item) ? item : {})) : [];
}

/** Returns a member that is an object; empty for other values. */
export function objectAt(members: unknown, name: string): Members {
  const value = isObject(members) && Object.hasOwn(members, name) ? members[name] : undefined;
  return isObject(value) ? value : {};
}
