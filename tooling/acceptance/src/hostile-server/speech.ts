import { MetaKey, type Revision, revisions } from '@tenon/mcp-protocol';

/** A message as it came over the wire. */
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
/** The newest of each kind. */
export const oneOfEachKind: readonly Revision[] = [
  revisions.find((one) => one.lifecycle === 'handshake') as Revision,
  revisions.find((one) => one.lifecycle === 'stateless') as Revision,
];

/** Those among which batches are messages. */
export const batching: readonly Revision[] = revisions.filter((one) => one.rules.batching);

/** Says things in one revision, and as text, so that nothing is made better on the way. */
export class Speech {
  readonly revision: Revision;
  readonly capabilities: object;

  constructor(revision: Revision, capabilities: object = { elicitation: {} }) {
    this.revision = revision;
    this.capabilities = capabilities;
  }

  /** What a request of the revision says of its sender. */
  get meta(): object {
    if (this.revision.lifecycle === 'handshake') return {};
    return {
      [MetaKey.protocolVersion]: this.revision.id,
      [MetaKey.clientCapabilities]: this.capabilities,
    };
  }

  /** A request; what `params._meta` has is said besides. */
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

/** The text of the first block of a tool's result. */
export function textOf(frame: Frame | undefined): string | undefined {
  const content = frame?.result?.content as readonly { readonly text?: string }[] | undefined;
  return content?.[0]?.text;
}
