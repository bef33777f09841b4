export type { CallHistory, CapabilitySettings, ExtensionSettings } from '@tenon/mcp-protocol';
export type { ListedMembers } from './core/capabilities.js';
export { shareUsedUp } from './core/state-failure.js';
export { defineExtension, listen, serve } from './extensions/define-extension.js';
export type {
  ClientCallOptions,
  DetachedCall,
  EntryRegistrar,
  ExtendedResult,
  ExtensionHost,
  HandledNotification,
  InterceptedCall,
  InterceptedInput,
  InterceptedRun,
  ServedMethod,
  ServerContributions,
} from './extensions/extension.js';
export type { ListenCaller, ListenFilter, OfferedExtension, ToolOption } from './extensions/offered.js';
export type { PublishFilter } from './extensions/publish.js';
export type { SavedCall } from './extensions/saved-call.js';
export type { DetachedPorts } from './run/detached-run.js';
export type { StepJournal } from './run/once-steps.js';
