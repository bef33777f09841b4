export type { CapabilitySettings, ExtensionSettings } from '@tenon/mcp-protocol';
export { defineExtension, listen, serve } from './extensions/define-extension.js';
export type {
  ClientContributions,
  ExtendedCall,
  ExtensionClient,
  ExtensionServer,
  HandledNotification,
  ListedTool,
  LiveInputRequest,
  ResultType,
  ServedContext,
  ServedHandler,
  ServedMethod,
  ToolCallDraft,
} from './extensions/extension.js';
export { type ListBounds, Pages } from './features/pagination.js';
