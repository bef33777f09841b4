import { optionRules, requireOptions } from '@tenon/foundation';
import { skillsId } from '@tenon/mcp-skills/client';
import type { ToolAccess } from './access/access-request.js';
import type { Host } from './host.js';
import type { SkillCache } from './skills/cache/skill-cache.js';
import { HostSkills } from './skills/host-skills.js';
import { SkillsInUse } from './skills/skills-in-use.js';

export type { SkillInUse } from './access/access-request.js';
export type { SkillCache, SkillCacheOwner } from './skills/cache/skill-cache.js';
export type { HostSkill, HostSkillOptions, HostSkills, SkillAddress } from './skills/host-skills.js';
export type { InspectedHostSkill, ListedSkillFile, ViewedSkillFile } from './skills/inspected-host-skill.js';
export type { HostSkillFile, LoadedHostSkill, SkillToolOptions } from './skills/loaded-host-skill.js';

/** Options of `hostSkills`. */
export interface HostSkillsOptions {
  /** Keeps files that were read, such as `skillCache(folder)` of `@tenon/mcp-host/skills/node`. Default: in memory, until the skill is released. */
  readonly cache?: SkillCache;
  /**
   * Returns false for a tool that runs no code and no command on the machine of the user. While a skill is in use, a call of any other tool needs
   * the user's agreement to this tool with this skill, whatever the policy allows. A function that throws counts as true. Default: every tool may
   * execute code.
   */
  readonly executesCode?: (request: ToolAccess) => boolean;
}

/** The hosts that `hostSkills` was called for. */
const served = new WeakSet<Host>();

/**
 * Lists, shows and loads the skills of all servers of a host. The host needs the extension: `createHost({ extensions: [skills()] })`, with `skills` of
 * `@tenon/mcp-skills/client`. A host has one such object, because it knows the skills in use.
 * @throws TypeError if an option is invalid, the extension is missing, or the host has one already.
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx#security-considerations
 */
export function hostSkills(host: Host, options: HostSkillsOptions = {}): HostSkills {
  const { callable, object } = optionRules;
  requireOptions<HostSkillsOptions>('hostSkills', options, { cache: object, executesCode: callable });
  const { extensions = [], vault, onError = ignore } = host.parts.options;
  if (!extensions.some(({ id }) => id === skillsId))
    throw new TypeError(
      'The host has no extension for skills: createHost({ extensions: [skills()] }), with skills of @tenon/mcp-skills/client.',
    );
  if (served.has(host))
    throw new TypeError(
      'hostSkills() was called for this host already: pass on the object that it returned, which knows the skills in use.',
    );
  served.add(host);
  const { cache, executesCode = () => true } = options;
  const { requests } = host.parts;
  const inUse = new SkillsInUse(executesCode);
  requests.complete((request) => inUse.complete(request));
  host.servers.onRemoved(async (server) => {
    await cache?.remove(server).catch((error: unknown) => onError(error, `skills of ${server}`));
  });
  return new HostSkills({
    ...{ requests, inUse, cache, onError },
    isPerUser: vault !== undefined,
    serversOf: (user) => host.servers.of(user),
    toolsOf: (user, signal) => host.tools({ ...(user !== undefined && { user }), ...(signal && { signal }) }),
    callTool: ({ server, tool }, args, call) =>
      host.callTool({ server, tool: tool.name }, args, { ...call, way: 'skill' }),
  });
}

function ignore(): void {}
