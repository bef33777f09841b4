export {
  type ModelContentOptions,
  type ResultContent,
  toModelContent,
} from './models/formats/model-content.js';
export type { ModelFormat } from './models/formats/model-format.js';
export {
  type ModelNameOptions,
  modelName,
  type NameToolsOptions,
  nameTools,
  type ToolNames,
  type ToolPair,
} from './models/formats/names.js';
export { restoreArguments } from './models/formats/restore-arguments.js';
export { estimateTokens } from './models/formats/tokens.js';
export { readToolCalls, type ToolCallProblem } from './models/formats/tool-calls.js';
export {
  type AiSdkTool,
  type AnthropicTool,
  type FormattedTools,
  type GeminiTools,
  type ModelToolsOptions,
  type ModelToolsResult,
  modelTools,
  type OpenAiResponsesTool,
  type OpenAiTool,
  type ToolLoss,
} from './models/formats/tool-definitions.js';
export { type FormattedResults, type ModelToolResult, toolResults } from './models/formats/tool-results.js';
export {
  type ConverseEvent,
  type ConverseLimit,
  type ConverseLimits,
  type ConverseOptions,
  type ConverseResult,
  converse,
} from './models/loop/converse.js';
export type { RunContext, RunResult, ToolRunner } from './models/loop/tool-calls.js';
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
