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
