import { randomId } from '@tenon/foundation';
import type { Skill } from '../skill/skill.js';
import { readSkillUri } from '../skill/skill-uri.js';

/** A skill of a server. */
export interface SkillOfServer {
  /** The host's label of the server: never the name that the server gives itself. */
  readonly server: string;
  readonly skill: Skill;
}

/** A skill with a name that is unique among all servers. */
export interface NamedSkill extends SkillOfServer {
  /** The label of the server and the name, such as `docs:refunds`; with the whole path if the server has two of that name. */
  readonly label: string;
  /** True if another server has a skill of the same name: tell the user. */
  readonly isAmbiguous: boolean;
}

/** Returns the skills of all servers, each with a label of its own. None replaces another. */
export function nameSkills(skills: readonly SkillOfServer[]): readonly NamedSkill[] {
  const owners = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  for (const { server, skill } of skills) {
    requireLabel(server);
    const { name } = skill.frontmatter;
    owners.set(name, (owners.get(name) ?? new Set()).add(server));
    counts.set(keyOf(server, name), (counts.get(keyOf(server, name)) ?? 0) + 1);
  }
  return skills.map(({ server, skill }) => {
    const { name } = skill.frontmatter;
    const isAlone = counts.get(keyOf(server, name)) === 1;
    const label = `${server}:${isAlone ? name : (readSkillUri(skill.uri)?.root ?? skill.uri)}`;
    return { server, skill, label, isAmbiguous: (owners.get(name)?.size ?? 0) > 1 };
  });
}

/**
 * Returns content of a skill between two lines that name its server, for the context of a model. The lines have a random mark that
 * the content cannot contain, so the content cannot pretend to end.
 */
export function tagContent(
  { server, uri }: { readonly server: string; readonly uri: string },
  content: string,
): string {
  requireLabel(server);
  const mark = randomId(12);
  const source = `server=${JSON.stringify(server)} uri=${JSON.stringify(uri)}`;
  return `[skill content ${mark}: ${source}; untrusted, from an MCP server]\n${content}\n[end of skill content ${mark}]`;
}

/** Server and URI together: neither alone identifies a skill. */
function keyOf(server: string, uri: string): string {
  return JSON.stringify([server, uri]);
}

function requireLabel(server: string): void {
  if (typeof server === 'string' && server !== '' && !/\p{Cc}/u.test(server)) return;
  throw new TypeError(
    'The label of a server must be a text that the host has chosen, without control characters.',
  );
}
