import { BoundedMap, type Clock, unlessAborted } from '@tenon/foundation';
import type { CallToolResult, JsonObject } from '@tenon/mcp-protocol';
import { Rate, type RateLimit } from '@tenon/mcp-session';
import { HostError } from '../host-error.js';
import { visibleLine } from '../models/formats/text/visible-text.js';
import type { AccessRequest, ResourceAccess, SkillInUse, ToolAccess } from './access-request.js';
import { type Consent, type ConsentAnswer, type ConsentRequest, consentAnswers } from './consent.js';
import type { Grants, KnownTools, Standing } from './grants.js';
import { decisionProblem, isDecision, type Policy, type PolicyDecision } from './policy.js';
import { type Subject, subjectOf, subjectWithSkills } from './subject.js';

/** The permission for one request. */
export interface Permit {
  /** The source of the decision. */
  readonly decidedBy: 'policy' | 'grant' | 'consent';
  /** The arguments to send in place of those of the request. */
  readonly args?: JsonObject | undefined;
  readonly redact?: ((result: CallToolResult) => CallToolResult | Promise<CallToolResult>) | undefined;
}

/** The refusal of one request. */
export class AccessDenied extends HostError {
  readonly decidedBy: Permit['decidedBy'];

  constructor(
    message: string,
    {
      server,
      decidedBy,
      cause,
    }: { readonly server: string; readonly decidedBy: Permit['decidedBy']; readonly cause?: unknown },
  ) {
    super('denied', message, { server, cause });
    this.decidedBy = decidedBy;
  }
}

export interface AccessControlParts {
  readonly policy: Policy;
  /** Undefined if the host has no user: a request that needs consent is then refused. */
  readonly consent: Consent | undefined;
  readonly grants: Grants;
  readonly clock: Clock;
  /** True for a server that may change its tools without a new agreement. */
  readonly isTrusted: (server: string, user: string | undefined) => boolean;
  /** Returns the address or command of a server. */
  readonly identityOf: (server: string) => string;
  /** Aborts when the host closes. */
  readonly ended: AbortSignal;
  /** Returns the present tools of a server. */
  readonly toolsOf: (server: string, user: string | undefined) => KnownTools;
}

/**
 * Requests that wait for the consent of one user, at most; those to one server among them, and those that one server sends itself, such as for sampling.
 * Further ones are refused.
 */
const mostWaiting = { all: 256, server: 64, sent: 8 };
/** Counted rates, at most. */
const mostRates = 10_000;

/** The subject of an answer, and the signal of the request. */
interface Agreement {
  readonly subject: Subject;
  readonly signal: AbortSignal | undefined;
}

/** The one place that decides whether a request goes on, for every way that leads to a server. */
export class AccessControl {
  readonly #parts: AccessControlParts;
  readonly #rates = new BoundedMap<string, Rate>(mostRates);
  /** The users with requests that wait for consent. */
  readonly #queues = new Map<string | undefined, ConsentQueue>();

  constructor(parts: AccessControlParts) {
    this.#parts = parts;
  }

  /**
   * Decides on a request, and asks the user if the policy says so, if a tool has changed since the user knew it, or if a skill may be the
   * cause of a request that the policy alone cannot allow.
   * @throws AccessDenied; HostError `limit` for a rate of the policy; the reason of the signal.
   */
  permit(given: AccessRequest, signal: AbortSignal | undefined): Permit | Promise<Permit> {
    let decided: ReturnType<Policy>;
    try {
      decided = this.#parts.policy(given);
    } catch (cause) {
      throw policyFailed(given, cause);
    }
    // Nothing on this path waits for a value that is there: waits are most of the cost of a host.
    if (typeof decided === 'string') return this.#permit(given, checkedDecision(decided, given), signal);
    return Promise.resolve(decided).then(
      (decision) => this.#permit(given, checkedDecision(decision, given), signal),
      (cause: unknown) => {
        throw policyFailed(given, cause);
      },
    );
  }

  #permit(
    given: AccessRequest,
    { action, reason, args, redact, limit }: PolicyDecision,
    signal: AbortSignal | undefined,
  ): Permit | Promise<Permit> {
    signal?.throwIfAborted();
    if (action === 'deny')
      throw new AccessDenied(`The policy does not allow ${nameOf(given)}${because(reason)}.`, {
        server: given.server,
        decidedBy: 'policy',
      });
    this.#count(given, limit);
    if (given.kind === 'form' || given.kind === 'page') return { decidedBy: 'policy' };
    const request = args === undefined || given.kind !== 'tool' ? given : { ...given, args };
    const { identityOf, grants } = this.#parts;
    const identity = identityOf(request.server);
    const isPlainCall = request.kind === 'tool' && !hasSkills(request);
    if (action === 'allow' && isPlainCall && grants.isUnchanged(request, identity))
      return { decidedBy: 'policy', args, redact };
    return then(subjectOf(request, identity), (subject) =>
      then(this.#standing(request, subject), (standing) => {
        if (action === 'allow' && needsNoAnswer(request, standing))
          return { decidedBy: 'policy', args, redact };
        const asked = { request, ...(reason !== undefined && { reason }) };
        const decided = this.#decidedBy(asked, { subject, signal }, standing);
        return then(decided, (decidedBy) => ({ decidedBy, args, redact }));
      }),
    );
  }

  /** Returns what allows a request that the policy does not decide on alone. */
  #decidedBy(
    asked: ConsentRequest,
    to: Agreement,
    standing: Standing,
  ): Permit['decidedBy'] | Promise<Permit['decidedBy']> {
    const { request } = asked;
    if (standing.answer === 'never') throw neverAllowed(request);
    if (hasSkills(request)) {
      const { change } = standing;
      const { identity } = to.subject;
      return subjectWithSkills(request, { skills: request.skills, identity }).then((subject) =>
        this.#agreement({ ...asked, ...(change && { change }) }, { ...to, subject }),
      );
    }
    // The user agreed to the skill, or looks at it.
    if (request.kind === 'resource' && request.skillFile !== undefined) return 'grant';
    return this.#isAgreed(to.subject, standing) ? 'grant' : this.#ask(asked, to);
  }

  /** Returns the answer for what skills may cause: that of an earlier request, or of the user. */
  async #agreement(asked: ConsentRequest, to: Agreement): Promise<Permit['decidedBy']> {
    const standing = await this.#parts.grants.standing(to.subject, undefined);
    if (standing.answer === 'never') throw neverAllowed(asked.request);
    return this.#isAgreed(to.subject, standing) ? 'grant' : this.#ask(asked, to);
  }

  #count({ kind, server, name, origin }: AccessRequest, limit: RateLimit | undefined): void {
    if (limit === undefined) return;
    const { perSecond, burst = perSecond } = limit;
    const key = JSON.stringify([kind, server, name, origin.user ?? null, perSecond, burst]);
    const rate = this.#rates.get(key) ?? new Rate(this.#parts.clock, perSecond, burst);
    this.#rates.set(key, rate);
    if (rate.take()) return;
    throw new HostError(
      'limit',
      `The policy allows ${perSecond} requests a second for "${visibleLine(name, 100)}" of ${server}: try again in ${Math.max(1, Math.ceil(rate.wait / 1_000))} s.`,
      { server },
    );
  }

  #standing(request: AccessRequest, subject: Subject): Standing | Promise<Standing> {
    const { grants, isTrusted, toolsOf } = this.#parts;
    const { server, user } = subject;
    const isPinned = request.kind === 'tool' && !subject.isContent && !isTrusted(server, user);
    return grants.standing(subject, isPinned ? () => toolsOf(server, user) : undefined);
  }

  #isAgreed(subject: Subject, { answer }: Standing): boolean {
    return answer === 'always' || this.#parts.grants.isAgreed(subject);
  }

  /** Gets the user's consent, one request after another. An answer to an earlier request may hold for this one. */
  async #ask(asked: ConsentRequest, { subject, signal }: Agreement): Promise<Permit['decidedBy']> {
    const { request } = asked;
    const { server } = request;
    const { consent, ended } = this.#parts;
    if (consent === undefined) {
      const advice = 'Give the host a consent function, or allow it in the policy';
      throw new AccessDenied(`There is no user to ask about ${nameOf(request)}. ${advice}.`, {
        server,
        decidedBy: 'policy',
      });
    }
    const { user } = subject;
    const queue = this.#queues.get(user) ?? { waiting: [], last: Promise.resolve() };
    const isSent = request.kind === 'sampling' || request.kind === 'roots';
    const entry = { server, isSent };
    const own = queue.waiting.filter((one) => one.server === server && one.isSent === isSent).length;
    const text = (count: number, of: string) =>
      `${count} requests${of} wait for the consent of the user already.`;
    if (queue.waiting.length >= mostWaiting.all)
      throw new HostError('limit', text(queue.waiting.length, ''), { server });
    if (own >= mostWaiting[isSent ? 'sent' : 'server'])
      throw new HostError('limit', text(own, ` of ${server}`), { server });
    this.#queues.set(user, queue);
    queue.waiting.push(entry);
    const end = AbortSignal.any(signal === undefined ? [ended] : [signal, ended]);
    const turn = queue.last.then(() => this.#answered(consent, asked, { subject, signal: end }));
    // The next request waits for this answer, and not for the outcome.
    queue.last = turn.catch(() => undefined);
    try {
      return await unlessAborted(turn, end);
    } finally {
      queue.waiting.splice(queue.waiting.indexOf(entry), 1);
      if (queue.waiting.length === 0) this.#queues.delete(user);
    }
  }

  async #answered(
    consent: Consent,
    asked: ConsentRequest,
    { subject, signal }: { readonly subject: Subject; readonly signal: AbortSignal },
  ): Promise<Permit['decidedBy']> {
    const { request } = asked;
    signal.throwIfAborted();
    const standing = await this.#standing(request, subject);
    signal.throwIfAborted();
    if (standing.answer === 'never') throw neverAllowed(request);
    if (this.#isAgreed(subject, standing)) return 'grant';
    const change = standing.change ?? asked.change;
    const answer = await answerOf(consent, change === undefined ? asked : { ...asked, change }, signal);
    if (answer === 'run' || answer === 'always' || answer === 'never')
      await this.#parts.grants.keep(subject, answer);
    if (answer === 'no' || answer === 'never')
      throw new AccessDenied(`The user denied ${nameOf(request)}.`, {
        server: request.server,
        decidedBy: 'consent',
      });
    return 'consent';
  }
}

/** True for a request that a policy can allow without the user. */
function needsNoAnswer(request: AccessRequest, { answer, change }: Standing): boolean {
  return answer !== 'never' && change === undefined && request.kind !== 'skill-tools' && !hasSkills(request);
}

/** True for a request that a skill may be the cause of. */
function hasSkills(
  request: AccessRequest,
): request is (ToolAccess | ResourceAccess) & { readonly skills: readonly SkillInUse[] } {
  return (request.kind === 'tool' || request.kind === 'resource') && request.skills !== undefined;
}

/** Calls a function with a value: at once, unless the value has to be waited for. */
function then<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

function policyFailed(request: AccessRequest, cause: unknown): AccessDenied {
  const { server } = request;
  const text = `The policy failed for ${nameOf(request)}, so it is denied.`;
  return new AccessDenied(text, { server, decidedBy: 'policy', cause });
}

/** @throws AccessDenied if a policy returned something else than a decision for such a request. */
function checkedDecision(given: unknown, request: AccessRequest): PolicyDecision {
  const { server } = request;
  if (!isDecision(given))
    throw new AccessDenied(
      `The policy returned no decision for ${nameOf(request)}, so it is denied: return "allow", "ask" or "deny".`,
      { server, decidedBy: 'policy' },
    );
  if (typeof given === 'string') return { action: given };
  const problem = decisionProblem(given, request);
  if (problem === undefined) return given;
  throw new AccessDenied(`${problem}, so ${nameOf(request)} is denied.`, { server, decidedBy: 'policy' });
}

/** The requests of one user that wait for consent. */
interface ConsentQueue {
  /** `isSent`: the server sent the request. */
  readonly waiting: { readonly server: string; readonly isSent: boolean }[];
  last: Promise<unknown>;
}

async function answerOf(
  consent: Consent,
  asked: ConsentRequest,
  signal: AbortSignal,
): Promise<ConsentAnswer> {
  const { request } = asked;
  let answer: unknown;
  try {
    // A call that has ended must not keep the next ones waiting.
    answer = await unlessAborted((async () => consent(asked, { signal }))(), signal);
  } catch (cause) {
    signal.throwIfAborted();
    const failed = new AccessDenied(`The user could not be asked about ${nameOf(request)}.`, {
      server: request.server,
      decidedBy: 'consent',
      cause,
    });
    throw failed;
  }
  if (consentAnswers.includes(answer as string)) return answer as ConsentAnswer;
  throw new AccessDenied(
    `The consent function must return ${consentAnswers.map((one) => `"${one}"`).join(', ')}: ${nameOf(request)} is denied.`,
    { server: request.server, decidedBy: 'consent' },
  );
}

function neverAllowed(request: AccessRequest): AccessDenied {
  return new AccessDenied(`The user never allows ${nameOf(request)}.`, {
    server: request.server,
    decidedBy: 'grant',
  });
}

function because(reason: string | undefined): string {
  return reason === undefined ? '' : `: ${reason.replace(/\.$/, '')}`;
}

/** Returns a request as part of a sentence, such as `the tool "add" of calculator`. */
function nameOf(request: AccessRequest): string {
  const { kind, server, name } = request;
  // Names are texts of servers.
  const short = visibleLine(name, 100);
  switch (kind) {
    case 'start':
      return `starting ${server}`;
    case 'sampling':
      return `sampling for ${server}`;
    case 'roots':
      return `the roots for ${server}`;
    case 'form':
      return `the form of ${server}`;
    case 'skill-tools':
      return `the tools that the skill "${short}" of ${server} wants`;
    case 'tool':
    case 'resource': {
      const owners = [...new Set(request.skills?.map((skill) => skill.server))].slice(0, 10).join(', ');
      const cause = owners === '' ? '' : `, while a skill of ${owners} is in use`;
      return `the ${kind} "${short}" of ${server}${cause}`;
    }
    default:
      return `the ${kind} "${short}" of ${server}`;
  }
}
