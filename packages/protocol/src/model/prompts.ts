import type { Icon, Meta, Role } from './annotations.js';
import type { ContentBlock } from './content.js';
import type { CacheHints, InputAnswers, PageResult } from './message-members.js';

export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** A prompt's definition. */
export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly Icon[];
  readonly arguments?: readonly PromptArgument[];
  readonly _meta?: Meta;
}

export interface ListPromptsResult extends PageResult, CacheHints {
  readonly prompts: readonly Prompt[];
}

export interface GetPromptParams extends InputAnswers {
  readonly name: string;
  readonly arguments?: { readonly [key: string]: string };
  readonly _meta?: Meta;
}

export interface PromptMessage<Data = string> {
  readonly role: Role;
  readonly content: ContentBlock<Data>;
}

export interface GetPromptResult<Data = string> {
  readonly description?: string;
  readonly messages: readonly PromptMessage<Data>[];
  readonly _meta?: Meta;
}
