import type { Revision } from '@tenon/mcp-protocol';

/** A transport as clients choose it. */
export type TransportName = 'stdio' | 'http' | 'sse';

/** Something that is known about a client. */
export interface ClientFact<Value> {
  readonly value: Value;
  /** The page that says so: documentation, source or an issue. */
  readonly source: string;
  /** The month in which the source was written, or read if it has no date, as YYYY-MM. */
  readonly date: string;
  /** True unless the source is the documentation, the code or an error message of the client itself. Then a problem is never an error. */
  readonly isReport: boolean;
}

/** A number of tools of all servers together. */
export interface ToolBound {
  readonly most: number;
  /** `refused`: further tools cannot be used. `grouped`: the model sees further tools after it has opened a group of them. */
  readonly effect: 'refused' | 'grouped';
}

/** The names of tools that a client accepts. */
export interface NameRule {
  /** The text before the name; `{server}` is the name of the server. */
  readonly prefix: string;
  /** Characters of prefix and name. */
  readonly length?: number;
  /** Characters that the client accepts in the name of a tool; it does not accept others. */
  readonly characters?: RegExp;
  /** The effect of another name: the tool is renamed or missing, all tools are missing, or the request to the model fails. */
  readonly effect: 'renamed' | 'missing' | 'all-missing' | 'request-fails';
}

/** A shape of a schema that a client or its models do not accept. */
export type SchemaCheck =
  | 'root-object'
  | 'output-root-object'
  | 'root-combination'
  | 'array-items'
  | 'property-names'
  | 'open-objects'
  | 'property-name-schemas';

/** The features of servers and clients that a client has: true, false, or absent if nothing is known. */
export interface ClientFeatures {
  readonly resources?: boolean;
  readonly prompts?: boolean;
  readonly sampling?: boolean;
  readonly roots?: boolean;
  readonly elicitation?: boolean;
  readonly listChanged?: boolean;
}

/** A client that people use, with its limits. What is absent is not known. */
export interface KnownClient {
  /** The word for `--client`. */
  readonly id: string;
  readonly name: string;
  readonly transports?: ClientFact<readonly TransportName[]>;
  /** The revisions that it speaks; `handshake` if it is only known to send `initialize`. */
  readonly revisions?: ClientFact<readonly Revision[] | 'handshake'>;
  readonly names?: ClientFact<NameRule>;
  readonly tools?: ClientFact<ToolBound>;
  /** Characters of the description of a tool. */
  readonly description?: ClientFact<number>;
  /** Estimated tokens of the result of a tool. */
  readonly resultTokens?: ClientFact<number>;
  readonly schemas?: readonly ClientFact<SchemaCheck>[];
  readonly features?: ClientFact<ClientFeatures>;
}
