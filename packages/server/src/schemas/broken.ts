/** Returns the error of a schema that its validator rejects. */
export function brokenSchema(cause: unknown, owner: string): TypeError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const fix =
    cause instanceof Error && cause.name === 'EvalError'
      ? 'this runtime forbids generated code, so give the server a validator that needs none, as in ' +
        "createServer(info, { validator: interpreted }) with interpreted from '@tenon/mcp-server/interpreter', " +
        'or use a Standard Schema library such as zod'
      : 'correct the JSON Schema';
  return new TypeError(`${owner}: the JSON Schema cannot be compiled (${reason}); ${fix}`, { cause });
}
