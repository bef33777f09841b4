/** Thrown by a tool's handler to tell the model what went wrong: its message is what the model reads. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
