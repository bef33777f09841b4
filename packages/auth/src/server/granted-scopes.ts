import { scopeFlaw } from '@tenon/mcp-protocol/internal';
import { type OptionRule, requireOptions } from '@tenon/mcp-session/internal';

/** Which scopes there are, and what they are good for. */
export interface ScopeOptions {
  /** What every request takes, whatever it is for. Default: nothing. */
  readonly required?: readonly string[] | undefined;
  /** What clients are told to ask for first: the least that is of use. Default: what is required. */
  readonly supported?: readonly string[] | undefined;
  /** Scopes that are granted along with another, such as `{ 'notes:write': ['notes:read'] }`, and so on from those. */
  readonly implies?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The scopes of one resource. */
export class GrantedScopes {
  readonly required: readonly string[];
  /** Undefined where clients are told nothing. */
  readonly supported: readonly string[] | undefined;
  /** With each scope all that it brings. */
  readonly #implied: ReadonlyMap<string, ReadonlySet<string>>;

  /**
   * @param given - options, or what every request takes.
   * @throws TypeError for what is no scope, or none that a server asks for.
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

  /** What a token grants, and all that comes with it. */
  expanded(granted: readonly string[]): readonly string[] {
    if (this.#implied.size === 0) return granted;
    const all = new Set(granted);
    for (const scope of granted) for (const more of this.#implied.get(scope) ?? []) all.add(more);
    return [...all];
  }

  /** What something takes besides what every request takes. */
  with(scopes: readonly string[]): readonly string[] {
    return [...new Set([...this.required, ...scopes])];
  }
}

function closure(scope: string, direct: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const all = new Set([scope]);
  // A set that grows while it is walked is walked to its end.
  for (const one of all) for (const more of direct.get(one) ?? []) all.add(more);
  return all;
}

const scopeList: OptionRule = {
  is: 'a list of scopes such as ["notes:read"]: names without spaces and quotation marks, and not "offline_access", which is between clients and their authorization server',
  allows: (value) => Array.isArray(value) && value.every((scope) => scopeFlaw(scope) === undefined),
};

const scopeTable: OptionRule = {
  is: 'an object that has a list of scopes for each scope that brings others, such as { "notes:write": ["notes:read"] }',
  allows: (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(([scope, list]) => scopeFlaw(scope) === undefined && scopeList.allows(list)),
};

function isList(given: readonly string[] | ScopeOptions): given is readonly string[] {
  return Array.isArray(given);
}
