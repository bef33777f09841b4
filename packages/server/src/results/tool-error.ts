/** An error of a tool's handler with a message for the model. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
