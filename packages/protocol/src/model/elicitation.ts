import { ErrorCode, RemoteError, RpcError } from '../json-rpc/errors.js';
import type { Meta } from './annotations.js';

/** One form field, in the restricted JSON Schema of the specification. */
export type FormField = { readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' } & {
  readonly [keyword: string]: unknown;
};

/** A flat form. */
export interface FormSchema {
  readonly $schema?: string;
  readonly type: 'object';
  readonly properties: { readonly [field: string]: FormField };
  readonly required?: readonly string[];
}

export interface ElicitFormParams {
  /** Absent means a form. */
  readonly mode?: 'form';
  readonly message: string;
  readonly requestedSchema: FormSchema;
  readonly _meta?: Meta;
}

/** Sends the user to a page; 2025-11-25 and later. */
export interface ElicitUrlParams {
  readonly mode: 'url';
  readonly message: string;
  readonly url: string;
  /** 2025-11-25 alone. */
  readonly elicitationId?: string;
  readonly _meta?: Meta;
}

export type ElicitParams = ElicitFormParams | ElicitUrlParams;

export type FormValue = string | number | boolean | readonly string[];

export interface ElicitResult {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: { readonly [field: string]: FormValue };
  readonly _meta?: Meta;
}

export interface ElicitationCompleteParams {
  readonly elicitationId: string;
  readonly _meta?: Meta;
}

/**
 * Thrown by a server's handler that cannot continue before the user has visited a page. 2025-11-25 alone has an error for
 * it: in other revisions use `ctx.elicitUrl`, because their clients see an invalid request.
 */
export class UrlElicitationRequiredError extends RpcError {
  override readonly name = 'UrlElicitationRequiredError';

  constructor(
    elicitations: readonly (Pick<ElicitUrlParams, 'message' | 'url'> & { readonly elicitationId: string })[],
  ) {
    super(ErrorCode.urlElicitationRequired, 'The user has to visit a page first.', {
      data: { elicitations: elicitations.map((one) => ({ mode: 'url', ...one })) },
    });
  }
}

/**
 * The {@link UrlElicitationRequiredError} of a server, as a client receives it: the user must visit the pages in
 * {@link elicitations} before the call can be repeated. Get the user's consent first, as `onElicitUrl` does. Unsafe pages
 * are left out.
 */
export class RemoteUrlElicitationError extends RemoteError {
  override readonly name: string = 'RemoteUrlElicitationError';
  readonly elicitations: readonly ElicitUrlParams[];

  constructor(error: RemoteError, elicitations: readonly ElicitUrlParams[]) {
    const { code, peerMessage: message, data, method, subject } = error;
    super({ code, message, data }, { method, subject, cause: error });
    this.elicitations = elicitations;
  }
}
