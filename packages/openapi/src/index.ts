export type { OpenApiOperation, SkippedOperation } from './document/operations.js';
export { fromOpenApi, type OpenApiTool, type OpenApiTools, type ToolRegistrar } from './from-openapi.js';
export type { OpenApiOptions, OperationFilter } from './options.js';
export type { OpenApiAuth, SecurityScheme } from './request/security.js';
