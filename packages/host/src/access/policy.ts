import { type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import type { CallToolResult, JsonObject, ToolAnnotations } from '@tenon/mcp-protocol';
import type { RateLimit } from '@tenon/mcp-session';
import type { AccessRequest, Way } from './access-request.js';

/** Whether a request goes on: at once, after the user agreed, or not at all. */
export type PolicyAction = 'allow' | 'ask' | 'deny';

/** The decision of a policy on one request. */
export interface PolicyDecision {
  readonly action: PolicyAction;
  /** The reason, for the user, the model and the audit log: one sentence. */
  readonly reason?: string;
  /** Replaces the arguments of a tool call. The user sees these, and the server receives these. */
  readonly args?: JsonObject;
  /** Changes the result of a tool call before anything else reads it. If it throws, the call fails. */
  readonly redact?: (result: CallToolResult) => CallToolResult | Promise<CallToolResult>;
  /** Refuses requests above this rate, counted for each user, server and name. */
  readonly limit?: RateLimit;
}

/**
 * Decides on every request of a host, before the user is asked and before anything is sent. A policy that throws, or returns something else than a decision,
 * denies.
 */
export type Policy = (
  request: AccessRequest,
) => PolicyAction | PolicyDecision | Promise<PolicyAction | PolicyDecision>;

/** A condition on requests, and the decision for those that meet it. */
export interface PolicyRule {
  /** Kinds of requests. Default: all but `start`: a rule for the tools of a server does not let its program start. */
  readonly kind?: AccessRequest['kind'] | readonly AccessRequest['kind'][];
  /** Names of servers, with `*` for any characters; default: all. */
  readonly server?: string | readonly string[];
  /** Names of tools or prompts, or URIs, with `*` for any characters; default: all. */
  readonly name?: string | readonly string[];
  /** Annotations of a tool, such as `{ readOnlyHint: true }`. Only those of trusted servers are believed. */
  readonly annotations?: ToolAnnotations;
  /** Ways of requests, such as `app`; default: all. */
  readonly way?: Way | readonly Way[];
  /** Users; default: all. */
  readonly user?: string | readonly string[];
  /** A further condition, such as on the arguments. If it throws, the request is denied. */
  readonly when?: (request: AccessRequest) => boolean;
  readonly decision: PolicyAction | PolicyDecision;
}

const actions: readonly unknown[] = ['allow', 'ask', 'deny'];

const { anything, callable, object } = optionRules;

/** All kinds and ways: a rule to deny with a misspelled one would never apply. */
const kinds: { readonly [Kind in AccessRequest['kind']]: true } = {
  ...{ tool: true, resource: true, prompt: true, start: true, sampling: true, roots: true, form: true },
  ...{ page: true, skill: true, 'skill-tools': true },
};
const ways: { readonly [Name in Way]: true } = {
  ...{ direct: true, model: true, search: true, app: true, sampling: true, task: true, skill: true },
};

function wordsOf(words: object): OptionRule {
  const list = Object.keys(words).map((word) => `"${word}"`);
  return {
    is: `${list.slice(0, -1).join(', ')} or ${list.at(-1)}, or a list of these`,
    allows: (value) => [value].flat().every((one) => typeof one === 'string' && Object.hasOwn(words, one)),
  };
}

const names: OptionRule = {
  is: 'a text, or a list of texts',
  allows: (value) => [value].flat().every((one) => typeof one === 'string'),
};

const ruleOptions: { readonly [Name in keyof Required<PolicyRule>]: OptionRule } = {
  kind: wordsOf(kinds),
  server: names,
  name: names,
  annotations: object,
  way: wordsOf(ways),
  user: names,
  when: callable,
  decision: anything,
};

/**
 * Returns a policy of rules: the first that fits decides.
 * @param otherwise - for requests that no rule fits. Default: `ask`.
 * @throws TypeError if a rule is malformed.
 */
export function rules(list: readonly PolicyRule[], otherwise: PolicyAction = 'ask'): Policy {
  const compiled = list.map((rule, index) => {
    requireOptions(`rules()[${index}]`, rule, ruleOptions);
    if (!isDecision(rule.decision))
      throw new TypeError(
        `rules()[${index}]: "decision" must be "allow", "ask", "deny", or an object with one as its action.`,
      );
    return { rule, fits: conditionOf(rule) };
  });
  if (!actions.includes(otherwise))
    throw new TypeError('rules(): otherwise must be "allow", "ask" or "deny".');
  return (request) => compiled.find(({ fits }) => fits(request))?.rule.decision ?? otherwise;
}

/** True for a decision of a policy that can be acted on. */
export function isDecision(value: unknown): value is PolicyAction | PolicyDecision {
  const action = object.allows(value) ? (value as Partial<PolicyDecision>).action : value;
  return actions.includes(action);
}

/** Returns the problem of a decision for a request: a part that is wrong, or that the kind of request does not have. */
export function decisionProblem(
  { args, redact, limit }: PolicyDecision,
  { kind }: AccessRequest,
): string | undefined {
  if (kind !== 'tool' && (args !== undefined || redact !== undefined))
    return 'The policy returned "args" or "redact", which are for tools';
  if (redact !== undefined && typeof redact !== 'function')
    return 'The policy returned a "redact" that is not a function';
  if (args !== undefined && !object.allows(args)) return 'The policy returned "args" that are not an object';
  const numbers: readonly unknown[] = limit === undefined ? [] : [limit.perSecond, limit.burst ?? 1];
  if (numbers.every((one) => typeof one === 'number' && one > 0)) return undefined;
  return 'The policy returned a "limit" that is not a rate, such as { perSecond: 1, burst: 5 }';
}

function conditionOf({ kind, server, name, annotations, way, user, when }: PolicyRule) {
  const servers = patternOf(server);
  const ofNames = patternOf(name);
  const hints = Object.entries(annotations ?? {});
  return (request: AccessRequest): boolean => {
    if (kind === undefined ? request.kind === 'start' : ![kind].flat().includes(request.kind)) return false;
    if (!servers.test(request.server) || !ofNames.test(request.name)) return false;
    if (way !== undefined && ![way].flat().includes(request.origin.way)) return false;
    if (user !== undefined && !([user].flat() as (string | undefined)[]).includes(request.origin.user))
      return false;
    if (hints.length > 0) {
      if (request.kind !== 'tool') return false;
      const own = request.annotations as Readonly<Record<string, unknown>>;
      if (!hints.every(([hint, value]) => own[hint] === value)) return false;
    }
    return when === undefined || when(request);
  };
}

function patternOf(names: string | readonly string[] | undefined): RegExp {
  if (names === undefined) return /^/;
  const choices = [names].flat().map((one) => one.split('*').map(escaped).join('[^]*'));
  return new RegExp(`^(?:${choices.join('|')})$`);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
