import type { JsonObject, ToolResult } from '@tenon/mcp-client';
import { type LoadedSkill, type Skill, SkillError, type SkillFile } from '@tenon/mcp-skills/client';
import type { Origin, SkillInUse } from '../access/access-request.js';
import type { HostTool } from '../catalogue/catalogue.js';
import { HostError } from '../host-error.js';
import type { Requests } from '../requests/requests.js';
import { modelContent } from './model-content.js';
import type { SkillFiles } from './skill-files.js';

/** A file of a loaded skill. */
export interface HostSkillFile extends SkillFile {
  /** The text for the context of a model, tagged with its server and URI; undefined for bytes that are not UTF-8. */
  readonly content: string | undefined;
}

/** The tools of a host, for the calls of a skill. */
export interface SkillTools {
  readonly list: (signal: AbortSignal | undefined) => Promise<readonly HostTool[]>;
  readonly call: (tool: HostTool, args: JsonObject, options: SkillToolOptions) => Promise<ToolResult>;
}

/** Options of one call of a tool for a skill. */
export interface SkillToolOptions {
  readonly signal?: AbortSignal;
  readonly turn?: string;
  readonly callId?: string;
}

interface LoadedHostSkillParts {
  readonly skill: SkillInUse;
  readonly loaded: LoadedSkill;
  readonly files: SkillFiles;
  readonly requests: Requests;
  readonly tools: SkillTools;
  readonly origin: Origin;
  readonly release: () => void;
}

/** Names in `allowed-tools` that are looked at. */
const mostNames = 100;

/**
 * A skill in use, from its loading until `release()`. Its content is data of its server: it has no more authority than any other text in the
 * context of the model, and no field of it permits anything.
 */
export class LoadedHostSkill {
  /** The name of the server in the host. */
  readonly server: string;
  readonly uri: string;
  /** The entry that the user agreed to. */
  readonly entry: Skill;
  /**
   * The instructions for the context of a model, between two lines that say that they are untrusted and name the server and the URI. At most
   * 100,000 characters, without those that people do not see. Never make it a part of the system prompt.
   */
  readonly content: string;
  readonly #parts: LoadedHostSkillParts;
  /** The tools that the user allowed for this skill, by name for models. */
  readonly #allowed = new Map<string, HostTool>();
  #isReleased = false;

  /** @internal */
  constructor(parts: LoadedHostSkillParts) {
    const { skill, loaded } = parts;
    this.#parts = parts;
    this.server = skill.server;
    this.uri = skill.uri;
    this.entry = loaded.entry;
    this.content = modelContent(skill, loaded.body);
  }

  /** The paths of its files below its folder; undefined for a skill with generated content. */
  get paths(): readonly string[] | undefined {
    return this.#parts.files.paths;
  }

  /**
   * Reads a file of the skill at its server, by its path or URI: one that the user agreed to with the skill. A `SKILL.md` is a text like any
   * other here: it loads nothing, and its frontmatter has no effect.
   * @throws SkillError `unlisted`, `changed`, `digest` or `released`; HostError
   */
  async read(path: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<HostSkillFile> {
    this.#requireUse();
    const file = await this.#parts.files.read(path, signal);
    const { uri, text } = file;
    return {
      ...file,
      content: text === undefined ? undefined : modelContent({ server: this.server, uri }, text),
    };
  }

  /**
   * Gets the consent of the user to calls of the tools that the skill names in `allowed-tools`. Names are those for models, or those of tools
   * of its own server; patterns and unknown names are ignored.
   * @returns the names for models of the tools that `callTool` accepts now; empty if it names none of the host.
   * @throws HostError `denied`
   */
  async requestTools({ signal, turn, callId }: SkillToolOptions = {}): Promise<readonly string[]> {
    this.#requireUse();
    const { requests, skill, tools, origin } = this.#parts;
    const { 'allowed-tools': asked } = this.entry.frontmatter;
    const names = new Set(typeof asked === 'string' ? asked.split(/[\s,]+/).slice(0, mostNames) : []);
    const wanted = (await tools.list(signal)).filter(
      ({ name, server, tool }) => names.has(name) || (server === this.server && names.has(tool.name)),
    );
    if (wanted.length === 0) return [];
    const request = {
      kind: 'skill-tools',
      ...{ server: this.server, name: this.uri, digests: skill.digests },
      tools: wanted.map(({ server, tool, digest }) => ({ server, name: tool.name, digest })),
      origin: { ...origin, ...(turn !== undefined && { turn }), ...(callId !== undefined && { callId }) },
    } as const;
    await requests.perform(request, async () => {}, { signal });
    for (const tool of wanted) this.#allowed.set(tool.name, tool);
    return wanted.map(({ name }) => name);
  }

  /**
   * Calls a tool for the skill, which the user allowed with `requestTools`. The call still needs the agreement of the policy and the user, as
   * every other call does.
   * @throws HostError `denied`, and as `host.callTool` does.
   */
  async callTool(name: string, args: JsonObject = {}, options: SkillToolOptions = {}): Promise<ToolResult> {
    this.#requireUse();
    const { tools } = this.#parts;
    const allowed = this.#allowed.get(name);
    if (allowed === undefined) throw this.#denied(name, 'is not allowed');
    const present = (await tools.list(options.signal)).find((tool) => tool.name === name);
    if (present?.digest !== allowed.digest) throw this.#denied(name, 'has changed since it was allowed');
    return tools.call(present, args, options);
  }

  /** Ends the use of the skill, once its content has left the context of the model. Later reads and calls reject. */
  release(): void {
    this.#isReleased = true;
    this.#parts.release();
  }

  #requireUse(): void {
    if (this.#isReleased)
      throw new SkillError('released', 'it was released; load it again.', { uri: this.uri });
  }

  #denied(tool: string, why: string): HostError {
    const name = JSON.stringify(tool.slice(0, 100));
    return new HostError(
      'denied',
      `The tool ${name} ${why} for the skill ${JSON.stringify(this.uri)} of ${this.server}. requestTools() asks the user.`,
      { server: this.server },
    );
  }
}
