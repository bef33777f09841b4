import type { AccessRequest } from './access-request.js';
import { definitionOf, digestOf } from './digest.js';

/** The thing that an answer of a user is for. An answer does not hold for another digest. */
export interface Subject {
  readonly user: string | undefined;
  readonly server: string;
  /** Kind and name of the request. */
  readonly key: string;
  readonly digest: string;
  /** The lines of the definition, to show how the next one differs; undefined for all but tools and skills. */
  readonly definition?: string;
  /** True for a tool: its first definition becomes known without an answer. */
  readonly isPinned: boolean;
  /** True for skills: another digest revokes the answer for the earlier one. */
  readonly isContent: boolean;
  /** False for content that nothing identifies, and for reads of other servers: an answer holds for one request. */
  readonly isLasting: boolean;
}

/** Returns what an answer to a request would be for. */
export async function subjectOf(request: AccessRequest): Promise<Subject> {
  const { kind, name } = request;
  const subject = { ...plain(request), key: `${kind} ${name}` };
  switch (request.kind) {
    case 'tool':
      return {
        ...subject,
        digest: request.digest,
        definition: definitionText(request.tool),
        isPinned: true,
      };
    case 'start': {
      const { command, args, cwd, variables } = request;
      return { ...subject, key: kind, digest: await digestOf({ command, args, cwd, variables }) };
    }
    case 'roots':
      return { ...subject, key: kind, digest: await digestOf(request.roots) };
    case 'skill':
    case 'skill-tools': {
      const { digests } = request;
      const content = request.kind === 'skill' ? (digests ?? null) : [digests ?? null, request.tools];
      return {
        ...subject,
        digest: await digestOf(content),
        ...(request.kind === 'skill' && digests !== undefined && { definition: linesOf(digests) }),
        isContent: true,
        isLasting: digests !== undefined,
      };
    }
    default:
      return subject;
  }
}

/**
 * Returns what an answer would be for that the policy cannot give: for a tool that executes code while skills are in use, and for a read of
 * another server than theirs. Undefined for other requests.
 */
export async function skillSubjectOf(request: AccessRequest): Promise<Subject | undefined> {
  if ((request.kind !== 'tool' && request.kind !== 'resource') || request.skills === undefined)
    return undefined;
  const { kind, name, skills } = request;
  const places = skills.map(({ server, uri }) => [server, uri]);
  const digest = request.kind === 'tool' ? request.digest : '';
  return {
    ...plain(request),
    key: `${kind} ${name} with skills ${JSON.stringify(places)}`,
    digest: await digestOf([digest, skills]),
    isContent: true,
    isLasting: kind === 'tool' && skills.every(({ digests }) => digests !== undefined),
  };
}

function plain({ server, origin }: AccessRequest): Omit<Subject, 'key'> {
  return { user: origin.user, server, digest: '', isPinned: false, isContent: false, isLasting: true };
}

function linesOf(digests: Readonly<Record<string, string>>): string {
  const lines = Object.entries(digests).map(([uri, digest]) => `${JSON.stringify(uri)} ${digest}`);
  return lines.sort().join('\n');
}

function definitionText(tool: Parameters<typeof definitionOf>[0]): string {
  return JSON.stringify(definitionOf(tool), undefined, 2);
}
