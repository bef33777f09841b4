import {
  type Client,
  type ClientContributions,
  type ClientExtension,
  type Contract,
  defineExtension,
  type Method,
} from '@tenon/mcp-client';
import { type OptionRule, optionRules, requireOptions } from '@tenon/mcp-session/internal';
import { getSkill, listSkills, readDirectory } from '../skill/methods.js';
import { skillLimits, skillsId } from '../skill/skill.js';
import { ConnectedSkills, type SkillsLimits, type SkillsSettingsOfClient } from './connected-skills.js';
import type { SkillError } from './skill-error.js';

/** Options of a client of skills. */
export interface SkillsClientOptions {
  readonly limits?: Partial<SkillsLimits>;
  /** True to load skills with generated content, which nothing can verify. Default: false. */
  readonly allowDynamic?: boolean;
  /** Receives the problem of each entry that a list leaves out. Default: nothing. */
  readonly onInvalid?: (error: SkillError) => void;
}

/** The default limits of a client of skills. */
export const defaultSkillsLimits: SkillsLimits = Object.freeze({
  ...skillLimits,
  skills: 10_000,
  pages: 1_000,
});

/** The extension of a client; `of(client)` returns the skills of its server. */
export interface SkillsExtension extends ClientExtension<typeof skillsId> {
  /** Returns the skills of the server that a client is connected to. The client must be connected with this extension. */
  of<C extends Contract>(client: Client<C>): ConnectedSkills;
}

/**
 * Uses the skills of servers: `const s = skills(); const client = await connect(target, { extensions: [s] }); s.of(client).list()`. One
 * value serves many clients.
 * @throws TypeError or RangeError if an option is invalid.
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx
 */
export function skills(options: SkillsClientOptions = {}): SkillsExtension {
  const { callable, flag, object } = optionRules;
  requireOptions<SkillsClientOptions>('skills', options, {
    limits: object,
    allowDynamic: flag,
    onInvalid: callable,
  });
  const { limits = {}, allowDynamic = false, onInvalid = () => {} } = options;
  requireOptions<Partial<SkillsLimits>>('skills: limits', limits, {
    files: atLeast(skillLimits.files),
    bytes: atLeast(skillLimits.bytes),
    skills: atLeast(1),
    pages: atLeast(1),
  });
  const settings = { limits: { ...defaultSkillsLimits, ...limits }, allowDynamic, onInvalid };
  return defineExtension(new UsedSkills(settings)) as unknown as SkillsExtension;
}

/** The contributions, which are members, and `of`, which is not. */
class UsedSkills implements ClientContributions<typeof skillsId> {
  readonly id = skillsId;
  readonly calls: readonly Method[] = [listSkills, getSkill, readDirectory];
  readonly #settings: SkillsSettingsOfClient;
  readonly #connected = new WeakMap<object, ConnectedSkills>();

  constructor(settings: SkillsSettingsOfClient) {
    this.#settings = settings;
  }

  of(client: Client): ConnectedSkills {
    let connected = this.#connected.get(client);
    if (connected === undefined) {
      connected = new ConnectedSkills(client, this.#settings);
      this.#connected.set(client, connected);
    }
    return connected;
  }
}

function atLeast(least: number): OptionRule {
  return {
    is: `a whole number, ${least} or more`,
    allows: (value) => Number.isSafeInteger(value) && (value as number) >= least,
  };
}
