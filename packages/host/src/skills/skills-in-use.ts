import type { AccessRequest, SkillInUse, ToolAccess } from '../access/access-request.js';
import { HostError } from '../host-error.js';

/** A skill that is in use for a user; for all users if there is none. */
interface SkillUse extends SkillInUse {
  readonly user: string | undefined;
}

/** Skills in use at once. */
const mostInUse = 1_000;

/** The skills in use: their instructions may be in the context of a model. Requests that they may cause need the user's consent, also if a policy allows them. */
export class SkillsInUse {
  readonly #executesCode: (request: ToolAccess) => boolean;
  readonly #uses = new Set<SkillUse>();

  constructor(executesCode: (request: ToolAccess) => boolean) {
    this.#executesCode = executesCode;
  }

  /** Adds a skill. Returns a function that removes it. @throws HostError `limit` */
  add(use: SkillUse): () => void {
    if (this.#uses.size >= mostInUse)
      throw new HostError('limit', `${mostInUse} skills are in use already: release one.`, {
        server: use.server,
      });
    this.#uses.add(use);
    return () => this.#uses.delete(use);
  }

  /** Returns the skills in use that may cause a request of this user. */
  of(user: string | undefined): readonly SkillInUse[] {
    const found = new Map<string, SkillInUse>();
    // Without a user nothing tells conversations apart.
    for (const { user: owner, ...skill } of this.#uses)
      if (owner === undefined || user === undefined || owner === user)
        found.set(JSON.stringify(skill), skill);
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, skill]) => skill);
  }

  /** Returns a request with the skills for which it needs the user's agreement. */
  complete(request: AccessRequest): AccessRequest {
    if (this.#uses.size === 0) return request;
    const { user } = request.origin;
    switch (request.kind) {
      case 'tool':
        return this.#executes(request) ? withSkills(request, this.of(user)) : request;
      case 'resource': {
        if (request.skillFile !== undefined) return request;
        const others = this.of(user).filter(({ server }) => server !== request.server);
        return withSkills(request, others);
      }
      default:
        return request;
    }
  }

  #executes(request: ToolAccess): boolean {
    try {
      return this.#executesCode(request) !== false;
    } catch {
      return true;
    }
  }
}

function withSkills<Request extends AccessRequest>(
  request: Request & { readonly skills?: readonly SkillInUse[] },
  skills: readonly SkillInUse[],
): Request {
  return skills.length === 0 ? request : { ...request, skills: [...(request.skills ?? []), ...skills] };
}
