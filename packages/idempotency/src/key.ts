/** The identifier of the extension, and the `_meta` key with which a client names a tool call that it may send again. */
export const idempotencyKey = 'dev.tenon/idempotency-key';
