import { type OptionRule, requireOptions } from '@tenon/foundation';
import { scopeProblem } from '@tenon/mcp-protocol/internal';

/** The scopes of a server. */
export interface ScopeOptions {
  /** Scopes that every request requires. Default: none. */
  readonly required?: readonly string[] | undefined;
  /** Scopes that clients should request first: the least that is useful. Default: the required scopes. */
  readonly supported?: readonly string[] | undefined;
  /** Scopes that another scope includes, such as `{ 'notes:write': ['notes:read'] }`; applied repeatedly. */
  readonly implies?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The scopes of one resource. */
export class GrantedScopes {
  readonly required: readonly string[];
  /** Undefined if the metadata lists no scopes. */
  readonly supported: readonly string[] | undefined;
  /** All scopes that a scope includes. */
  readonly #implied: ReadonlyMap<string, ReadonlySet<string>>;

  /**
   * @param given - options, or the required scopes.
   * @throws TypeError if a scope is malformed, or if a server cannot require it.
   */
  constructor(given: readonly string[] | ScopeOptions = {}) {
    const options: ScopeOptions = isList(given) ? { required: given } : given;
    requireOptions('scopes', options, { required: scopeList, supported: scopeList, implies: scopeTable });
    const { required = [], supported = required, implies = {} } = options;
    this.required = [...new Set(required)];
    this.supported = supported.length === 0 ? undefined : [...new Set(supported)];
    const direct = new Map(Object.entries(implies));
    this.#implied = new Map([...direct.keys()].map((scope) => [scope, closure(scope, direct)]));
  }

  /** Returns the granted scopes and all that they include. */
  expanded(granted: readonly string[]): readonly string[] {
    if (this.#implied.size === 0) return granted;
    const all = new Set(granted);
    for (const scope of granted) for (const more of this.#implied.get(scope) ?? []) all.add(more);
    return [...all];
  }

  /** Returns the scopes together with those that every request requires. */
  with(scopes: readonly string[]): readonly string[] {
    return [...new Set([...this.required, ...scopes])];
  }
}

function closure(scope: string, direct: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const all = new Set([scope]);
  // A Set that grows during iteration is iterated to its new end.
  for (const one of all) for (const more of direct.get(one) ?? []) all.add(more);
  return all;
}

const scopeList: OptionRule = {
  is: 'a list of scopes such as ["notes:read"]: names without spaces and quotation marks, and not "offline_access", which is between clients and their authorization server',
  allows: (value) => Array.isArray(value) && value.every((scope) => scopeProblem(scope) === undefined),
};

const scopeTable: OptionRule = {
  is: 'an object with a list of scopes for each scope that includes others, such as { "notes:write": ["notes:read"] }',
  allows: (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(
      ([scope, list]) => scopeProblem(scope) === undefined && scopeList.allows(list),
    ),
};

function isList(given: readonly string[] | ScopeOptions): given is readonly string[] {
  return Array.isArray(given);
}
