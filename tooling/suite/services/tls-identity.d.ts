/** A key, and a self-signed certificate for mcp.example and auth.example, for tests only. */
export const tlsIdentity: { readonly key: string; readonly cert: string };
