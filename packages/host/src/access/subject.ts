import { definitionOf, digestOf } from './digest.js';
import type { AccessRequest } from './access-request.js';

/** The thing that an answer of a user is for. An answer does not hold for another digest. */
export interface Subject {
  readonly user: string | undefined;
  readonly server: string;
  /** Kind and name of the request. */
  readonly key: string;
  readonly digest: string;
  /** The lines of the definition, to show how the next one differs; undefined for all but tools. */
  readonly definition?: string;
  /** False for content that nothing identifies: an answer holds for one request. */
  readonly isLasting: boolean;
}

/** Returns what an answer to a request would be for. */
export async function subjectOf(request: AccessRequest): Promise<Subject> {
  const { kind, server, name, origin } = request;
  const subject = { user: origin.user, server, key: `${kind} ${name}`, isLasting: true };
  switch (request.kind) {
    case 'tool':
      return { ...subject, digest: request.digest, definition: definitionText(request.tool) };
    case 'start': {
      const { command, args, cwd, variables } = request;
      return { ...subject, key: kind, digest: await digestOf({ command, args, cwd, variables }) };
    }
    case 'roots':
      return { ...subject, key: kind, digest: await digestOf(request.roots) };
    case 'skill': {
      const { digests } = request;
      return { ...subject, digest: await digestOf(digests ?? null), isLasting: digests !== undefined };
    }
    default:
      return { ...subject, digest: '' };
  }
}

function definitionText(tool: Parameters<typeof definitionOf>[0]): string {
  return JSON.stringify(definitionOf(tool), undefined, 2);
}
