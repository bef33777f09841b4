import { meantOption } from '@tenon/foundation';
import { type Client, ErrorCode, type JsonObject, RemoteError, type ToolResult } from '@tenon/mcp-client';
import {
  nameSkills,
  type Skill,
  SkillError,
  type SkillFileCache,
  type SkillOfServer,
} from '@tenon/mcp-skills/client';
import { originOf, type SkillAccess, type Way } from '../access/access-request.js';
import type { HostTool } from '../catalogue/catalogue.js';
import { HostError } from '../host-error.js';
import { isVisible, visibleLine } from '../models/formats/text/visible-text.js';
import type { Requests } from '../requests/requests.js';
import type { ManagedServer } from '../servers/managed-server.js';
import type { ServerPool } from '../servers/server-pool.js';
import { inMemory, type SkillCache } from './cache/skill-cache.js';
import { InspectedHostSkill } from './inspected-host-skill.js';
import { LoadedHostSkill, type SkillToolOptions, type SkillTools } from './loaded-host-skill.js';
import { SkillFiles, skillsOf } from './skill-files.js';
import type { SkillsInUse } from './skills-in-use.js';

/** A skill in the list of a host. */
export interface HostSkill {
  /** A name that no other skill of the host has: the server and the name, such as `docs:refunds`. */
  readonly label: string;
  /** The name of the server in the host. */
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  /** One line of the server, without hidden characters; not verified. */
  readonly description: string;
  /** True if a skill of another server has the same name: tell the user, one may imitate the other. */
  readonly isAmbiguous: boolean;
  readonly entry: Skill;
}

/** The address of a skill: its label, or its server and the URI of its `SKILL.md`. */
export type SkillAddress = string | { readonly server: string; readonly uri: string };

/** Options of one request for a skill. */
export interface HostSkillOptions extends SkillToolOptions {
  readonly user?: string;
  /** The way on which the request came to the program. Default: `direct`. */
  readonly way?: Way;
}

interface HostSkillsParts {
  readonly requests: Requests;
  readonly inUse: SkillsInUse;
  readonly cache: SkillCache | undefined;
  readonly serversOf: (user: string | undefined) => ServerPool;
  readonly toolsOf: (
    user: string | undefined,
    signal: AbortSignal | undefined,
  ) => Promise<readonly HostTool[]>;
  /** Calls a tool for a skill of a user. */
  readonly callTool: (
    tool: HostTool,
    args: JsonObject,
    options: SkillToolOptions & Pick<HostSkillOptions, 'user'>,
  ) => Promise<ToolResult>;
  /** True if each user has connections of their own. */
  readonly isPerUser: boolean;
  readonly onError: (error: unknown, where: string) => void;
}

/** One skill of a server. */
interface Found {
  readonly managed: ManagedServer;
  readonly server: string;
  readonly entry: Skill;
}

/** Milliseconds for which a server may be silent while it lists its skills: one slow server must not delay the list of all. */
const listTimeout = 10_000;
/** Times that a skill may change between the user's agreement and its loading. */
const mostChanges = 3;
/** Characters of a description. */
const longestDescription = 1_024;

/** The skills of all servers of a host. Created by `hostSkills`. */
export class HostSkills {
  readonly #parts: HostSkillsParts;

  /** @internal */
  constructor(parts: HostSkillsParts) {
    this.#parts = parts;
  }

  /**
   * Lists the skills of all servers; no file is read. The list may lack skills that `load` finds by their URI. Servers that cannot list theirs are
   * left out, and reported to `onError` of the host.
   */
  async list({
    user,
    signal,
  }: Pick<HostSkillOptions, 'user' | 'signal'> = {}): Promise<readonly HostSkill[]> {
    const { onError, serversOf } = this.#parts;
    const found = await Promise.all(
      serversOf(user).all.map(async (managed) => {
        try {
          return await this.#listOf(managed, signal);
        } catch (error) {
          signal?.throwIfAborted();
          onError(error, `skills of ${managed.state.name}`);
          return [];
        }
      }),
    );
    return nameSkills(found.flat()).map(({ server, skill, label, isAmbiguous }) => ({
      ...{ label, server, uri: skill.uri, name: skill.frontmatter.name },
      description: visibleLine(skill.frontmatter.description, longestDescription),
      ...{ isAmbiguous, entry: skill },
    }));
  }

  /**
   * Returns the present entry of a skill. The user can look at its files before it is loaded: no file is read yet, and nothing is meant for a model.
   * @throws HostError `unknown-skill`; SkillError
   */
  async inspect(
    address: SkillAddress,
    options: Omit<HostSkillOptions, 'way'> = {},
  ): Promise<InspectedHostSkill> {
    const { managed, server, entry } = await this.#find(address, options);
    requireVisible(server, entry);
    const { user, signal } = options;
    const { requests } = this.#parts;
    const cache = inMemory(this.#cacheOf(server, user));
    const parts = { requests, managed, server, entry, cache, purpose: 'inspected' } as const;
    const files = await SkillFiles.of({ ...parts, origin: originOf(options) }, signal);
    return new InspectedHostSkill(server, entry, files);
  }

  /**
   * Loads a skill, once the policy or the user agrees to the digests of its files. If its files change before they are read, the user is asked
   * again. From now until `release()`, tools that execute code, and reads of resources of other servers, need the user's agreement.
   * @throws HostError `denied` or `unknown-skill`; SkillError if a file is not what the entry says.
   */
  async load(address: SkillAddress, options: HostSkillOptions = {}): Promise<LoadedHostSkill> {
    const found = await this.#find(address, options);
    let { entry } = found;
    for (let attempt = 1; attempt <= mostChanges; attempt++) {
      try {
        return await this.#load({ ...found, entry }, options);
      } catch (error) {
        if (!(error instanceof SkillError) || error.current === undefined) throw error;
        entry = error.current;
      }
    }
    const { server } = found;
    throw new HostError(
      'unavailable',
      `The skill ${JSON.stringify(entry.uri)} of ${server} changes all the time: it was not loaded.`,
      { server },
    );
  }

  async #load({ managed, server, entry }: Found, options: HostSkillOptions): Promise<LoadedHostSkill> {
    const { requests, inUse, toolsOf, callTool } = this.#parts;
    const { user, signal } = options;
    requireVisible(server, entry);
    const { uri, frontmatter, resources } = entry;
    const origin = originOf(options);
    const digests =
      resources === 'dynamic'
        ? undefined
        : Object.fromEntries(resources.map((file) => [file.uri, file.digest]));
    const cache = inMemory(this.#cacheOf(server, user));
    const parts = { requests, managed, server, entry, cache, purpose: 'loaded', origin } as const;
    // A skill that cannot be loaded is refused before the user is asked.
    const files = await SkillFiles.of(parts, signal);
    const description = visibleLine(frontmatter.description, longestDescription);
    const request: SkillAccess = { kind: 'skill', server, name: uri, digests, description, origin };
    const read = (client: Client) =>
      skillsOf(client, server).load(entry, { cache, ...(signal && { signal }) });
    const skill = { server, uri, digests };
    let release = ignore;
    const work = async () => {
      const loaded = await managed.use(read, signal);
      release = inUse.add({ ...skill, user });
      return loaded;
    };
    const loaded = await requests.perform(request, work, { signal }).catch((error: unknown) => {
      // The caller has nothing to release a skill with that was loaded but not recorded.
      release();
      throw error;
    });
    const tools: SkillTools = {
      list: (end) => toolsOf(user, end),
      call: (tool, args, more) => callTool(tool, args, { ...more, ...(user !== undefined && { user }) }),
    };
    return new LoadedHostSkill({ loaded, release, skill, files, requests, tools, origin });
  }

  async #find(address: SkillAddress, options: HostSkillOptions): Promise<Found> {
    const { server, uri } = typeof address === 'string' ? await this.#named(address, options) : address;
    const { user, signal } = options;
    const managed = this.#parts.serversOf(user).get(server);
    try {
      const get = async (client: Client) => skillsOf(client, server).get(uri, signal ? { signal } : {});
      const entry = await managed.use(get, signal);
      return { managed, server, entry };
    } catch (error) {
      if (!(error instanceof RemoteError) || error.code !== ErrorCode.invalidParams) throw error;
      const text = `${server} has no skill ${JSON.stringify(uri.slice(0, 200))}. A resource is no skill because of its URI.`;
      const unknown = new HostError('unknown-skill', text, { server, cause: error });
      throw unknown;
    }
  }

  async #named(label: string, options: HostSkillOptions): Promise<HostSkill> {
    const skills = await this.list(options);
    const found = skills.find((skill) => skill.label === label);
    if (found !== undefined) return found;
    const labels = skills.filter(({ name }) => name === label).map((skill) => skill.label);
    const meant =
      labels.length > 0
        ? ` Servers are part of labels: ${labels.slice(0, 10).join(', ')}.`
        : meantOption(
            label,
            skills.slice(0, 1_000).map((skill) => skill.label),
          );
    throw new HostError(
      'unknown-skill',
      `No server lists a skill ${JSON.stringify(label.slice(0, 200))}.${meant}`,
    );
  }

  #cacheOf(server: string, user: string | undefined): SkillFileCache | undefined {
    const { cache, isPerUser } = this.#parts;
    return cache?.of({ server, user: isPerUser ? user : undefined });
  }

  async #listOf(managed: ManagedServer, signal: AbortSignal | undefined): Promise<SkillOfServer[]> {
    const { name: server } = managed.state;
    const skills = await managed.use(async (client) => {
      const offered = skillsOf(client, server);
      if (!offered.isOffered) return [];
      return offered.list({ timeout: listTimeout, ...(signal && { signal }) }).all();
    }, signal);
    const byUri = new Map<string, Skill>();
    for (const skill of skills) {
      if (!isVisible(skill.uri)) this.#parts.onError(hidden(server, skill.uri), `skills of ${server}`);
      else if (!byUri.has(skill.uri)) byUri.set(skill.uri, skill);
    }
    return [...byUri.values()].map((skill) => ({ server, skill }));
  }
}

/** @throws HostError `unknown-skill` if a URI has characters that a user who is asked about it would not see. */
function requireVisible(server: string, { uri, resources }: Skill): void {
  const uris = [uri, ...(resources === 'dynamic' ? [] : resources.map((file) => file.uri))];
  const wrong = uris.find((one) => !isVisible(one));
  if (wrong !== undefined) throw hidden(server, wrong);
}

function hidden(server: string, uri: string): HostError {
  const text = `A skill of ${server} has a URI with characters that people do not see: ${visibleLine(uri, 200)}.`;
  return new HostError('unknown-skill', text, { server });
}

function ignore(): void {}
