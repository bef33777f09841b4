import { unicodeEscape } from '@tenon/foundation';
import type { AccessRequest, ResourceAccess, SkillInUse, ToolAccess } from './access-request.js';
import { definitionOf, digestOf, sorted } from './digest.js';

/** The thing that an answer of a user is for. An answer does not hold for another digest. */
export interface Subject {
  readonly user: string | undefined;
  readonly server: string;
  /** The address or command of the server: answers do not hold for another server of the same name. */
  readonly identity: string;
  /** Kind and name of the request. */
  readonly key: string;
  readonly digest: string;
  /** Returns the definition as lines, to show how the next one differs; undefined for all but tools and skills. */
  readonly definition?: () => string;
  /** True for skills: another digest revokes the answer for the earlier one. */
  readonly isContent?: boolean;
  /** False for content that nothing identifies, and for reads of other servers than that of a skill: an answer holds for one request. */
  readonly isLasting: boolean;
}

/** Returns what an answer to a request would be for. */
export function subjectOf(request: AccessRequest, identity: string): Subject | Promise<Subject> {
  const { kind, server, name, origin } = request;
  const { user } = origin;
  if (request.kind === 'tool') {
    const { digest, tool } = request;
    return {
      user,
      server,
      identity,
      key: `tool ${name}`,
      isLasting: true,
      digest,
      definition: () => definitionText(tool),
    };
  }
  const subject = { user, server, identity, key: `${kind} ${name}`, isLasting: true };
  switch (request.kind) {
    case 'start':
      return { ...subject, key: kind, digest: request.digest };
    case 'roots':
      return digested({ ...subject, key: kind }, request.roots);
    case 'skill': {
      const { digests } = request;
      const definition = digests && (() => linesOf(digests));
      const skill = { ...subject, isContent: true, isLasting: definition !== undefined } as const;
      return digested({ ...skill, ...(definition && { definition }) }, digests ?? null);
    }
    case 'skill-tools': {
      const { digests, tools } = request;
      const skill = { ...subject, isContent: true, isLasting: digests !== undefined } as const;
      return digested(skill, [digests ?? null, tools]);
    }
    default:
      return { ...subject, digest: '' };
  }
}

/** Returns what an answer to a request would be for that skills may cause. It holds for these skills alone. */
export function subjectWithSkills(
  request: ToolAccess | ResourceAccess,
  { skills, identity }: { readonly skills: readonly SkillInUse[]; readonly identity: string },
): Promise<Subject> {
  const { kind, server, name, origin } = request;
  const places = skills.map((skill) => [skill.server, skill.uri]);
  const subject = {
    ...{ user: origin.user, server, identity, isContent: true },
    key: `${kind} ${name} with skills ${JSON.stringify(places)}`,
    isLasting: kind === 'tool' && skills.every(({ digests }) => digests !== undefined),
  } as const;
  return digested(subject, [kind === 'tool' ? request.digest : '', skills]);
}

function linesOf(digests: Readonly<Record<string, string>>): string {
  const lines = Object.entries(digests).map(([uri, digest]) => `${JSON.stringify(uri)} ${digest}`);
  return lines.sort().join('\n');
}

async function digested(subject: Omit<Subject, 'digest'>, content: unknown): Promise<Subject> {
  return { ...subject, digest: await digestOf(content) };
}

function definitionText(tool: Parameters<typeof definitionOf>[0]): string {
  const text = JSON.stringify(definitionOf(tool), sorted, 2);
  // A change that users cannot see must show in the difference.
  return text.replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu, (character) =>
    character === '\n' ? character : unicodeEscape(character),
  );
}
