import type {
  CreateMessageParams,
  CreateMessageResult,
  ElicitResult,
  ListRootsResult,
  Root,
} from '@tenon/mcp-protocol';
import type { CallPort } from '../context-ports.js';
import type { Definition } from '../definition.js';
import {
  type Elicited,
  type ElicitForm,
  type ElicitPage,
  formFor,
  pageFor,
  readForm,
  warnOfLinks,
} from '../features/elicitation.js';
import { noteVisit } from '../features/elicitation-complete.js';
import { checkSampling, withinCapabilities } from '../features/sampling.js';
import type { Schema } from '../schemas/schema.js';
import type { Asker } from './asker.js';
import { requireAsked } from './keys.js';

/** The call that makes an input request. */
export interface InputCall {
  readonly definition: Definition;
  readonly request: CallPort;
  readonly asker: Asker;
}

/** Has the user fill in a form: `ctx.elicit`. */
export async function elicitForm<S extends Schema>(
  { definition, request, asker }: InputCall,
  key: string,
  form: ElicitForm<S>,
): Promise<Elicited<S>> {
  requireAsked('elicit', key, form);
  const { validator, limits: bounds, onError } = definition;
  const compiled = formFor(form.schema, { key, validator, bounds });
  warnOfLinks(compiled, { key, message: form.message }, onError);
  const params = { mode: 'form', message: form.message, requestedSchema: compiled.form } as const;
  const answer = (await asker.ask(key, { method: 'elicitation/create', params })) as ElicitResult;
  return readForm<S>(compiled, answer, { key, live: request.revision.rules.serverAsks === 'request' });
}

/** Sends the user to a page: `ctx.elicitUrl`. */
export async function elicitPage(
  { request, asker }: InputCall,
  key: string,
  page: ElicitPage,
): Promise<ElicitResult['action']> {
  requireAsked('elicitUrl', key, page);
  const told = request.revision.rules.elicitationIds ? page.elicitationId : undefined;
  const params = pageFor(page, key, told);
  if (told !== undefined) noteVisit(request, told);
  const answer = (await asker.ask(key, { method: 'elicitation/create', params })) as ElicitResult;
  return answer.action;
}

/** Has the client's model answer: `ctx.sample`. */
export async function requestSample(
  { request, asker }: InputCall,
  key: string,
  params: CreateMessageParams,
): Promise<CreateMessageResult> {
  requireAsked('sample', key, params);
  checkSampling(params);
  const asked = withinCapabilities(params, request);
  return (await asker.ask(key, { method: 'sampling/createMessage', params: asked })) as CreateMessageResult;
}

/** Lists the client's roots: `ctx.roots`. */
export async function requestRoots({ asker }: InputCall, key: string): Promise<readonly Root[]> {
  return ((await asker.ask(key, { method: 'roots/list' })) as ListRootsResult).roots;
}
