import type { Meta } from '../annotations.js';

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
