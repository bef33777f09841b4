import { MetaKey, type Revision, revisions } from '@tenon/mcp-protocol';

/** A message as received. */
export interface Frame {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown };
  readonly result?: { readonly [name: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** All revisions, newest first. */
export const everyRevision: readonly Revision[] = revisions;
export const handshakes: readonly Revision[] = revisions.filter((one) => one.lifecycle === 'handshake');
/** The newest revision of each kind. */
export const oneOfEachKind: readonly Revision[] = [
  revisions.find((one) => one.lifecycle === 'handshake') as Revision,
  revisions.find((one) => one.lifecycle === 'stateless') as Revision,
];

/** Revisions with batches. */
export const batching: readonly Revision[] = revisions.filter((one) => one.rules.batching);

/** Builds messages of one revision as text, so that invalid ones stay invalid. */
export class Speech {
  readonly revision: Revision;
  readonly capabilities: object;

  constructor(revision: Revision, capabilities: object = { elicitation: {} }) {
    this.revision = revision;
    this.capabilities = capabilities;
  }

  /** The metadata of a request in this revision. */
  get meta(): object {
    if (this.revision.lifecycle === 'handshake') return {};
    return {
      [MetaKey.protocolVersion]: this.revision.id,
      [MetaKey.clientCapabilities]: this.capabilities,
    };
  }

  /** Returns a request; `params._meta` is added to the metadata. */
  request(id: unknown, method: unknown, params: object = {}): string {
    const { _meta: more, ...rest } = params as { readonly _meta?: object };
    const _meta = { ...this.meta, ...more };
    const stamped = Object.keys(_meta).length === 0 ? rest : { ...rest, _meta };
    return JSON.stringify({ jsonrpc: '2.0', id, method, params: stamped });
  }

  call(id: unknown, name: unknown, input: object = {}): string {
    return this.request(id, 'tools/call', { name, arguments: input });
  }

  notice(method: unknown, params?: object): string {
    return JSON.stringify({ jsonrpc: '2.0', method, params });
  }

  initialize(id: unknown = 'init'): string {
    const clientInfo = { name: 'peer', version: '1.0.0' };
    const { capabilities, revision } = this;
    return JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'initialize',
      params: { protocolVersion: revision.id, capabilities, clientInfo },
    });
  }
}

/** Returns the text of the first block of a tool result. */
export function textOf(frame: Frame | undefined): string | undefined {
  const content = frame?.result?.content as readonly { readonly text?: string }[] | undefined;
  return content?.[0]?.text;
}
