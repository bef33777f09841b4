export type { ModelTool, ModelToolCall } from './models/model-tool.js';
