import type { AccessRequest } from './access-request.js';
import { definitionOf, digestOf } from './digest.js';

/** The thing that an answer of a user is for. An answer does not hold for another digest. */
export interface Subject {
  readonly user: string | undefined;
  readonly server: string;
  /** Kind and name of the request. */
  readonly key: string;
  readonly digest: string;
  /** Returns the definition as lines, to show how the next one differs; undefined for all but tools. */
  readonly definition?: () => string;
  /** False for content that nothing identifies: an answer holds for one request. */
  readonly isLasting: boolean;
}

/** Returns what an answer to a request would be for. */
export function subjectOf(request: AccessRequest): Subject | Promise<Subject> {
  const { kind, server, name, origin } = request;
  const { user } = origin;
  if (request.kind === 'tool') {
    const { digest, tool } = request;
    return {
      user,
      server,
      key: `tool ${name}`,
      isLasting: true,
      digest,
      definition: () => definitionText(tool),
    };
  }
  const subject = { user, server, key: `${kind} ${name}`, isLasting: true };
  switch (request.kind) {
    case 'start': {
      const { command, args, cwd, variables } = request;
      return digested({ ...subject, key: kind }, { command, args, cwd, variables });
    }
    case 'roots':
      return digested({ ...subject, key: kind }, request.roots);
    case 'skill': {
      const { digests } = request;
      return digested({ ...subject, isLasting: digests !== undefined }, digests ?? null);
    }
    default:
      return { ...subject, digest: '' };
  }
}

async function digested(subject: Omit<Subject, 'digest'>, content: unknown): Promise<Subject> {
  return { ...subject, digest: await digestOf(content) };
}

function definitionText(tool: Parameters<typeof definitionOf>[0]): string {
  return JSON.stringify(definitionOf(tool), undefined, 2);
}
