import type { LibraryBounds } from '@tenon/json-schema';
import type {
  CreateMessageParams,
  CreateMessageResult,
  ElicitResult,
  ListRootsResult,
  Root,
} from '@tenon/mcp-protocol';
import type { CallPort } from '../core/call-port.js';
import { requireInputParams } from '../run/problems.js';
import type { Run } from '../run/run.js';
import type { Schema } from '../schemas/schema.js';
import type { Validator } from '../schemas/validator.js';
import {
  type Elicited,
  type ElicitForm,
  type ElicitPage,
  formFor,
  pageFor,
  readForm,
  warnOfLinks,
} from './elicitation.js';
import { noteVisit } from './elicitation-complete.js';
import { checkSampling, withinCapabilities } from './sampling.js';

/** The settings of a server that its input requests depend on. */
export interface InputSettings {
  /** Validates plain schemas; undefined for the default. */
  readonly validator: Validator | undefined;
  readonly limits: LibraryBounds;
  readonly onError: (error: unknown, where: string) => void;
}

/** The call that makes an input request. */
export interface InputCall {
  readonly settings: InputSettings;
  readonly request: CallPort;
  readonly run: Run;
}

/** Implements `ctx.elicit`: elicitation by form. */
export async function elicitForm<S extends Schema>(
  { settings, request, run }: InputCall,
  key: string,
  form: ElicitForm<S>,
): Promise<Elicited<S>> {
  requireInputParams('elicit', key, form);
  const { validator, limits: bounds, onError } = settings;
  const compiled = formFor(form.schema, { key, validator, bounds });
  warnOfLinks(compiled, { key, message: form.message }, onError);
  const params = { mode: 'form', message: form.message, requestedSchema: compiled.form } as const;
  const answer = (await run.requestInput(key, {
    method: 'elicitation/create',
    params,
  })) as ElicitResult;
  return readForm<S>(compiled, answer, { key, live: request.revision.rules.inputRequestMode === 'request' });
}

/** Implements `ctx.elicitUrl`: elicitation by URL. */
export async function elicitPage(
  { request, run }: InputCall,
  key: string,
  page: ElicitPage,
): Promise<ElicitResult['action']> {
  requireInputParams('elicitUrl', key, page);
  const shownId = request.revision.rules.elicitationIds ? page.elicitationId : undefined;
  const params = pageFor(page, key, shownId);
  if (shownId !== undefined) noteVisit(request, shownId);
  const answer = (await run.requestInput(key, {
    method: 'elicitation/create',
    params,
  })) as ElicitResult;
  return answer.action;
}

/** Implements `ctx.sample`: sampling. */
export async function requestSample(
  { request, run }: InputCall,
  key: string,
  params: CreateMessageParams,
): Promise<CreateMessageResult> {
  requireInputParams('sample', key, params);
  checkSampling(params);
  const requested = withinCapabilities(params, request);
  return (await run.requestInput(key, {
    method: 'sampling/createMessage',
    params: requested,
  })) as CreateMessageResult;
}

/** Implements `ctx.roots`: lists the client's roots. */
export async function requestRoots({ run }: InputCall, key: string): Promise<readonly Root[]> {
  return ((await run.requestInput(key, { method: 'roots/list' })) as ListRootsResult).roots;
}
