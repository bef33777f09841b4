import type {
  CreateMessageParams,
  ElicitFormParams,
  ElicitUrlParams,
  JsonObject,
  Root,
  Tool,
  ToolAnnotations,
} from '@tenon/mcp-protocol';

/**
 * The way of a request to the host: from the program itself, from a model, through the tool that searches deferred tools, from an app, from a
 * model that a server samples, from a task, or on behalf of a skill.
 */
export type Way = 'direct' | 'model' | 'search' | 'app' | 'sampling' | 'task' | 'skill';

/** The user and the conversation of a request. The values never reach a server. */
export interface Origin {
  readonly way: Way;
  /** The user that the host acts for. Grants and credentials of one user never serve another. */
  readonly user?: string;
  /** The turn of the conversation. */
  readonly turn?: string;
  /** The id that the model gave the call. */
  readonly callId?: string;
}

type OriginOptions = { readonly [Name in keyof Origin]?: Origin[Name] | undefined };

/** Returns the origin of a request with these options. */
export function originOf({ way = 'direct', user, turn, callId }: OriginOptions): Origin {
  const origin: { -readonly [Name in keyof Origin]: Origin[Name] } = { way };
  if (user !== undefined) origin.user = user;
  if (turn !== undefined) origin.turn = turn;
  if (callId !== undefined) origin.callId = callId;
  return origin;
}

/** A skill that was loaded and not yet released: its instructions may be in the context of the model. */
export interface SkillInUse {
  readonly server: string;
  /** The URI of its SKILL.md. */
  readonly uri: string;
  /** The digests of its files by URI; undefined for a skill with generated content. */
  readonly digests: Readonly<Record<string, string>> | undefined;
}

/** The call of a tool. */
export interface ToolAccess {
  readonly kind: 'tool';
  readonly server: string;
  /** The name of the tool at its server. */
  readonly name: string;
  readonly tool: Tool;
  /** The SHA-256 of the definition of the tool without its name. */
  readonly digest: string;
  /** The annotations of the tool if its server is trusted, and an empty object otherwise. */
  readonly annotations: ToolAnnotations;
  readonly args: JsonObject;
  /**
   * Skills in use, for a tool that executes code. The user is asked whatever the policy allows, unless an answer was given for this tool with
   * these skills.
   */
  readonly skills?: readonly SkillInUse[];
  readonly origin: Origin;
}

/** Reading a resource. */
export interface ResourceAccess {
  readonly kind: 'resource';
  readonly server: string;
  /** The URI. */
  readonly name: string;
  /** Skills of other servers that are in use, and may be the cause. The user is asked for each such read, whatever the policy allows. */
  readonly skills?: readonly SkillInUse[];
  /**
   * The purpose, for a file of a skill: the user agreed to its loading, which includes its files, or looks at it before that. The policy can
   * deny it, and the user is not asked.
   */
  readonly skillFile?: 'loaded' | 'inspected';
  readonly origin: Origin;
}

/** Getting a prompt. */
export interface PromptAccess {
  readonly kind: 'prompt';
  readonly server: string;
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
  readonly origin: Origin;
}

/** Starting the program of a server. */
export interface StartAccess {
  readonly kind: 'start';
  readonly server: string;
  /** The whole command line, for display. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The folder in which the program runs; undefined if it is unknown. */
  readonly cwd?: string;
  /** The names of the variables that the program receives. Their values may be secrets. */
  readonly variables: readonly string[];
  /** The SHA-256 of all that decides what runs: command, arguments, folder, and variables with their values, except those of a vault. */
  readonly digest: string;
  readonly origin: Origin;
}

/** An input request of a server. */
interface InputAccess {
  readonly server: string;
  readonly name: string;
  /** The tool that was called; absent for a request in a session, which names no call. */
  readonly forTool?: string;
  readonly origin: Origin;
}

/** A server that requests a model to be sampled. */
export interface SamplingAccess extends InputAccess {
  readonly kind: 'sampling';
  readonly params: CreateMessageParams;
}

/** A server that requests the roots. */
export interface RootsAccess extends InputAccess {
  readonly kind: 'roots';
  readonly roots: readonly Root[];
}

/** A form that a server requests to be filled in. The user answers it, so `ask` and `allow` are the same. */
export interface FormAccess extends InputAccess {
  readonly kind: 'form';
  readonly params: ElicitFormParams;
}

/** A page that a server requests to be visited. The user answers it, so `ask` and `allow` are the same. */
export interface PageAccess extends InputAccess {
  readonly kind: 'page';
  /** The URL. */
  readonly name: string;
  readonly params: ElicitUrlParams;
}

/** Loading a skill. */
export interface SkillAccess {
  readonly kind: 'skill';
  readonly server: string;
  /** The URI of its SKILL.md. */
  readonly name: string;
  /** The digests of its files by URI; undefined for a skill with generated content. */
  readonly digests: Readonly<Record<string, string>> | undefined;
  readonly description: string;
  readonly origin: Origin;
}

/** Calls of tools on behalf of a skill, which asks for them in `allowed-tools`. The user is asked whatever the policy allows. */
export interface SkillToolsAccess {
  readonly kind: 'skill-tools';
  readonly server: string;
  /** The URI of its SKILL.md. */
  readonly name: string;
  readonly digests: Readonly<Record<string, string>> | undefined;
  readonly tools: readonly { readonly server: string; readonly name: string; readonly digest: string }[];
  readonly origin: Origin;
}

/** One thing that a host is about to do with a server. */
export type AccessRequest =
  | ToolAccess
  | ResourceAccess
  | PromptAccess
  | StartAccess
  | SamplingAccess
  | RootsAccess
  | FormAccess
  | PageAccess
  | SkillAccess
  | SkillToolsAccess;

/** A request that the user is asked about, unless an answer holds. */
export type ConsentedAccess = Exclude<AccessRequest, FormAccess | PageAccess>;
