export {
  type Conversation,
  type ConverseEvent,
  type ConverseLimit,
  type ConverseLimits,
  type ConverseOptions,
  converse,
} from './models/loop/converse.js';
export type { RunContext, ToolResult, ToolRunner } from './models/loop/tool-calls.js';
export type {
  Model,
  ModelBlock,
  ModelContent,
  ModelMessage,
  ModelReply,
  ModelRequest,
  ModelUsage,
  OpaqueBlock,
  ReplyOptions,
  StopReason,
  ToolCallBlock,
  ToolResultBlock,
} from './models/model.js';
export { ModelError, type ModelErrorReason } from './models/model-error.js';
export type { ModelTool, ModelToolCall } from './models/model-tool.js';
export { anthropicModel } from './models/providers/anthropic-model.js';
export type { ModelOptions } from './models/providers/endpoint.js';
export { openAiModel } from './models/providers/openai-model.js';
export type { RatedModel } from './models/sampling/choose-model.js';
export {
  type Sample,
  type SampledModels,
  type SampleOptions,
  sampleWith,
} from './models/sampling/sample-with.js';
export {
  type Script,
  type ScriptedModel,
  type ScriptedReply,
  type ScriptStep,
  scriptedModel,
} from './models/scripted/scripted-model.js';
