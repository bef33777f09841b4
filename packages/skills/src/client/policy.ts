import { BoundedMap, type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import { digestOf, type Skill } from '../skill/skill.js';
import { readSkillUri } from '../skill/skill-uri.js';
import { readEntry } from './check-entry.js';

/** A skill of a server. */
export interface SkillOfServer {
  /** The host's label of the server: never the name that the server gives itself. */
  readonly server: string;
  readonly skill: Skill;
}

/** The skill that a user may approve. */
export interface ApprovalRequest extends SkillOfServer {
  /** `changed` if the user approved the skill with another set of files, `new` otherwise. */
  readonly state: 'new' | 'changed';
}

/** A read that a skill of one server causes on another server. */
export interface CrossServerRead {
  /** The label of the server of the skill. */
  readonly from: string;
  /** The label of the server that would be read. */
  readonly to: string;
  readonly uri: string;
}

/** The place of approvals: texts by key. Both are opaque. */
export interface ApprovalStore {
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, value: string): unknown;
  delete(key: string): unknown;
}

/** Options of a policy. */
export interface SkillPolicyOptions {
  /** Shows the user a skill with its server and files, and returns whether the skill may be loaded. */
  readonly approve: (request: ApprovalRequest) => boolean | Promise<boolean>;
  /** Shows the user one read of another server, with both labels, and returns whether it is allowed. Default: none is. */
  readonly approveRead?: (read: CrossServerRead) => boolean | Promise<boolean>;
  /** Keeps approvals. Default: in memory, the newest 10,000. */
  readonly approvals?: ApprovalStore;
}

/** A skill with a name that is unique among all servers. */
export interface NamedSkill extends SkillOfServer {
  /** The label of the server and the name, such as `docs:refunds`; with the whole path if the server has two of that name. */
  readonly label: string;
  /** True if another server has a skill of the same name: tell the user. */
  readonly isAmbiguous: boolean;
}

/**
 * Rules of the extension for hosts: approvals are bound to server, URI and files; skills of different servers never replace each
 * other; content says where it comes from; a skill reads no other server. It decides nothing about what a model may execute.
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx#security-considerations
 */
export class SkillPolicy {
  readonly #options: SkillPolicyOptions;
  readonly #approvals: ApprovalStore;

  /** @throws TypeError if an option is invalid. */
  constructor(options: SkillPolicyOptions) {
    const { callable } = optionRules;
    const store: OptionRule = {
      is: 'an object with get, set and delete',
      allows: (value) =>
        ['get', 'set', 'delete'].every(
          (name) => typeof (value as Record<string, unknown> | null)?.[name] === 'function',
        ),
    };
    requireOptions<SkillPolicyOptions>('SkillPolicy', options, {
      approve: callable,
      approveRead: callable,
      approvals: store,
    });
    if (typeof options.approve !== 'function')
      throw new TypeError('SkillPolicy needs approve, which asks the user.');
    this.#options = options;
    this.#approvals = options.approvals ?? new BoundedMap<string, string>(mostApprovals);
  }

  /**
   * Returns the option `approve` of `load`: it asks the user once for each set of files, and again after a change. A dynamic skill
   * has no set of files: the user is asked each time.
   */
  approver(server: string): (skill: Skill) => Promise<boolean> {
    requireLabel(server);
    return async (given) => {
      const skill = readEntry(given);
      const key = keyOf(server, skill.uri);
      const print = await fingerprintOf(skill);
      const known = await this.#approvals.get(key);
      if (print !== undefined && known === print) return true;
      // The earlier approval is revoked first: a dialog without an answer approves nothing.
      if (known !== undefined) await this.#approvals.delete(key);
      const state = known === undefined ? 'new' : 'changed';
      if ((await this.#options.approve({ server, skill, state })) !== true) return false;
      if (print !== undefined) await this.#approvals.set(key, print);
      return true;
    };
  }

  /** Revokes the approval of a skill. */
  async revoke(server: string, uri: string): Promise<void> {
    await this.#approvals.delete(keyOf(server, uri));
  }

  /** True if a skill of the server `from` may cause this read: on its own server, or after the user's approval of this one call. */
  async mayRead(read: CrossServerRead): Promise<boolean> {
    requireLabel(read.from);
    requireLabel(read.to);
    return read.from === read.to || (await this.#options.approveRead?.(read)) === true;
  }
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
  const mark = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  const source = `server=${JSON.stringify(server)} uri=${JSON.stringify(uri)}`;
  return `[skill content ${mark}: ${source}; untrusted, from an MCP server]\n${content}\n[end of skill content ${mark}]`;
}

/** Returns a digest of the set of files of a skill; undefined for a dynamic skill, which has none. */
export async function fingerprintOf({ resources }: Skill): Promise<string | undefined> {
  if (resources === 'dynamic') return undefined;
  const files = resources.map(({ uri, digest }) => JSON.stringify([uri, digest])).sort();
  return digestOf(files.join('\n'));
}

const mostApprovals = 10_000;

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
