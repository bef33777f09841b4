import type { LintPlace, LintSeverity } from '../lint/rules/rule.js';
import type { ProbeRow } from './probe.js';

/** The areas in which a server may not fit a client. */
export const compatAreas = [
  'transport',
  'revision',
  'names',
  'tools',
  'schemas',
  'texts',
  'results',
  'features',
] as const;

/** One of {@link compatAreas}. */
export type CompatArea = (typeof compatAreas)[number];

/** A reason why a server does not work well in a client. */
export interface ClientProblem {
  readonly area: CompatArea;
  readonly severity: LintSeverity;
  readonly place: LintPlace;
  /** The effect and the fix. It does not name the client, so that the same problem has the same text for all. */
  readonly message: string;
  /** The page that the fact about the client is from. */
  readonly source: string;
  /** The month of the source, as YYYY-MM. */
  readonly date: string;
}

/** A comparison of a server with one client. */
export interface ClientReport {
  readonly id: string;
  readonly name: string;
  /** The number of problems in each area; `unknown` if nothing is known about the client there. */
  readonly areas: Readonly<Record<CompatArea, number | 'unknown'>>;
  readonly problems: readonly ClientProblem[];
}

/** The offer of a server in a revision over a transport. */
export interface RevisionSummary extends Omit<ProbeRow, 'catalog' | 'failures'> {
  readonly offer?: {
    readonly tools: number;
    readonly resources: number;
    readonly templates: number;
    readonly prompts: number;
    readonly completions: boolean;
    readonly logging: boolean;
    readonly subscribe: boolean;
    readonly tasks: boolean;
    /** The identifiers of extensions. */
    readonly extensions: readonly string[];
  };
}

/** A comparison of a server with revisions and clients. */
export interface CompatReport {
  readonly server: { readonly name: string; readonly version: string };
  /** The revisions that the server itself names. */
  readonly claimed?: readonly string[];
  readonly revisions: readonly RevisionSummary[];
  /** Problems of the server in its own revisions. */
  readonly problems: readonly { readonly severity: LintSeverity; readonly message: string }[];
  readonly clients: readonly ClientReport[];
}
