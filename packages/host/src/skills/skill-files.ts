import type { Client } from '@tenon/mcp-client';
import type {
  ConnectedSkills,
  InspectedSkill,
  Skill,
  SkillFile,
  SkillFileCache,
  SkillsMembers,
} from '@tenon/mcp-skills/client';
import type { Origin, ResourceAccess } from '../access/access-request.js';
import type { Requests } from '../requests/requests.js';
import type { ManagedServer } from '../servers/managed-server.js';

/** One skill of a server of a host. */
interface SkillFilesParts {
  readonly requests: Requests;
  readonly managed: ManagedServer;
  readonly server: string;
  readonly entry: Skill;
  readonly cache: SkillFileCache;
  readonly purpose: NonNullable<ResourceAccess['skillFile']>;
  readonly origin: Origin;
}

/** The files of one skill: each read is permitted and recorded like any other request. */
export class SkillFiles {
  readonly #parts: SkillFilesParts;
  /** For addresses alone: its client may be closed. */
  readonly #inspected: InspectedSkill;

  private constructor(parts: SkillFilesParts, inspected: InspectedSkill) {
    this.#parts = parts;
    this.#inspected = inspected;
  }

  /** @throws SkillError `too-large` or `dynamic` for a skill that is not loaded. */
  static async of(parts: SkillFilesParts, signal: AbortSignal | undefined): Promise<SkillFiles> {
    const { managed, server, entry } = parts;
    const inspect = async (client: Client) => skillsOf(client, server).inspect(entry);
    return new SkillFiles(parts, await managed.use(inspect, signal));
  }

  /** The paths of the files; undefined for a skill with generated content. */
  get paths(): readonly string[] | undefined {
    return this.#inspected.paths;
  }

  /** Returns the URI of a file. @throws SkillError `unlisted` */
  uriOf(path: string): string {
    return this.#inspected.uriOf(path);
  }

  /** Reads and verifies a file. @throws HostError; SkillError */
  read(path: string, signal: AbortSignal | undefined): Promise<SkillFile> {
    const { requests, managed, server, entry, cache, purpose, origin } = this.#parts;
    const uri = this.uriOf(path);
    const request = { kind: 'resource', server, name: uri, skillFile: purpose, origin } as const;
    const read = (client: Client) =>
      skillsOf(client, server)
        .inspect(entry, { cache })
        .read(uri, signal ? { signal } : {});
    return requests.perform(request, () => managed.use(read, signal), { signal });
  }
}

/** Returns the skills of a connected server. */
export function skillsOf(client: Client, server: string): ConnectedSkills {
  const { skills } = client as unknown as Partial<SkillsMembers>;
  if (skills === undefined) throw new TypeError(`The client of ${server} has no extension for skills.`);
  return skills;
}
