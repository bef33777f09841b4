import type { Root } from '@tenon/mcp-client';
import type { Host } from '@tenon/mcp-host';
import type { HostSkills } from '@tenon/mcp-host/skills';
import type { AllowRules } from '../access/allow-rules.js';
import type { ShownAudit } from '../access/shown-audit.js';
import type { Screen } from '../screen/screen.js';
import type { Conversation } from '../turn/conversation.js';
import type { ToolRuns } from '../turn/tool-runs.js';

/** The parts of a conversation that commands show and change. */
export interface ChatParts {
  readonly host: Host;
  readonly skills: HostSkills;
  readonly screen: Screen;
  readonly conversation: Conversation;
  readonly runs: ToolRuns;
  readonly rules: AllowRules;
  readonly audit: ShownAudit;
  /** The folders that servers may request. The host reads this list with each request. */
  readonly roots: Root[];
  /** The addresses of servers, by name. */
  readonly places: ReadonlyMap<string, string>;
}

/** A command of a conversation, such as `/tools`. */
export interface SlashCommand {
  readonly name: string;
  /** The words after the name, for the help. */
  readonly words?: string;
  readonly about: string;
  /** Returns `quit` to end the conversation. @throws WorkbenchError `usage`; its text is shown. */
  run(words: readonly string[], parts: ChatParts, signal: AbortSignal): Promise<'quit' | undefined>;
}
