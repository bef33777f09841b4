import { isRecord } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/json-schema/structure';
import type { OpenApiDocument } from '../document/document.js';
import type { FoundOperation } from '../document/operations.js';
import { Unsupported } from '../document/references.js';
import { lineOf, shown } from '../document/texts.js';
import type { BodyPlan } from '../request/body.js';
import type { ParameterPlan, RequestPlan } from '../request/request.js';
import type { Style } from '../request/styles.js';
import { fitting, type ToolSchema } from '../schemas/tool-schema.js';
import { argumentNames, type UniqueNames } from './argument-names.js';
import { plannedBody } from './input-body.js';

/** The input of a tool, and the request that is made of it. */
export interface Input {
  readonly schema: UnknownObject;
  readonly plan: RequestPlan;
}

const styles: Readonly<Record<string, readonly Style['style'][]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
  querystring: ['form'],
};

/** Headers that are not for the model: they belong to the connection, or other parts of the document describe them. */
const ownHeaders =
  /^(?:accept|accept-encoding|authorization|connection|content-.*|cookie|expect|forwarded|host|keep-alive|origin|proxy-.*|referer|te|trailer|transfer-encoding|upgrade|user-agent|via|x-forwarded-.*)$/i;

/**
 * Returns the input of an operation: one object with its parameters and the fields of its body. Where the fields cannot be beside the
 * parameters, the body is the argument `body`.
 * @param secured - `header X-Key` and so on of parameters that credentials fill.
 * @throws Unsupported if no request can be made.
 */
export function inputOf(
  document: OpenApiDocument,
  found: FoundOperation,
  secured: ReadonlySet<string>,
): Input {
  const input = fitting(document, 'input', (schema) => written(document, found, { secured, schema }));
  if (input === undefined) throw new Unsupported('its input has no schema');
  return input;
}

function written(
  document: OpenApiDocument,
  found: FoundOperation,
  { secured, schema }: { readonly secured: ReadonlySet<string>; readonly schema: ToolSchema },
): Input {
  const names = argumentNames();
  const properties = new Map<string, UnknownObject>();
  const required: string[] = [];
  const parameters: ParameterPlan[] = [];
  for (const parameter of parametersOf(document, found)) {
    if (!isForModel(parameter, secured)) continue;
    const planned = plannedParameter(document, parameter, names);
    parameters.push(planned.plan);
    properties.set(planned.plan.argument, described(schema.convert(planned.schema), parameter));
    if (planned.plan.required) required.push(planned.plan.argument);
  }
  requireWholePath(found, parameters);
  const body = bodyOf(document, found, { schema, names });
  for (const [name, property] of body?.properties ?? []) properties.set(name, property);
  required.push(...(body?.required ?? []));
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
      ...schema.definitions(),
    },
    plan: { method: found.method, path: found.path, parameters, body: body?.plan },
  };
}

function parametersOf(
  document: OpenApiDocument,
  { operation, pathItem }: FoundOperation,
): Iterable<UnknownObject> {
  const found = new Map<string, UnknownObject>();
  for (const list of [pathItem.parameters, operation.parameters])
    for (const one of Array.isArray(list) ? list : []) {
      const parameter = document.references.follow(one);
      if (parameter !== undefined) found.set(`${parameter.in} ${parameter.name}`, parameter);
    }
  return found.values();
}

function isForModel(parameter: UnknownObject, secured: ReadonlySet<string>): boolean {
  const { in: place, name, deprecated, required } = parameter;
  if (secured.has(`${place} ${String(name).toLowerCase()}`)) return false;
  if (place === 'header' && ownHeaders.test(String(name))) return false;
  return deprecated !== true || required === true;
}

interface PlannedParameter {
  readonly plan: ParameterPlan;
  readonly schema: unknown;
}

function plannedParameter(
  document: OpenApiDocument,
  parameter: UnknownObject,
  names: UniqueNames,
): PlannedParameter {
  const { in: place, name, style: given, required } = parameter;
  if (typeof name !== 'string' || name === '' || name.length > 200)
    throw new Unsupported('a parameter has no name, or one of more than 200 characters');
  const known = typeof place === 'string' && Object.hasOwn(styles, place) ? styles[place] : undefined;
  if (known === undefined)
    throw new Unsupported(`the parameter ${shown(name)} is in ${shown(String(place))}`);
  const isToken = /^[\w!#$%&'*+.^`|~-]+$/.test(name);
  if ((place === 'header' || place === 'cookie') && !isToken)
    throw new Unsupported(`${shown(name)} cannot be the name of a ${place}`);
  const style = given === undefined ? known[0] : known.find((one) => one === given);
  if (style === undefined)
    throw new Unsupported(`the parameter ${shown(name)} has the style ${shown(String(given))}`);
  const { content } = parameter;
  const [entry] = isRecord(content) ? Object.entries(content) : [];
  const mediaType = entry === undefined ? undefined : document.references.follow(entry[1]);
  return {
    plan: {
      name,
      in: place as ParameterPlan['in'],
      argument: names.take(name, `${place}_parameter`),
      required: required === true || place === 'path',
      style,
      explode:
        typeof parameter.explode === 'boolean' ? parameter.explode : style === 'form' || style === 'cookie',
      allowReserved: parameter.allowReserved === true,
      mediaType: entry?.[0],
    },
    schema: mediaType === undefined ? parameter.schema : mediaType.schema,
  };
}

function described(schema: UnknownObject, { description }: UnknownObject): UnknownObject {
  const text = lineOf(description, 300);
  return text === undefined ? schema : { ...schema, description: text };
}

function requireWholePath({ path }: FoundOperation, parameters: readonly ParameterPlan[]): void {
  for (const [, name = ''] of path.matchAll(/\{([^{}]*)\}/g))
    if (!parameters.some((one) => one.in === 'path' && one.name === name))
      throw new Unsupported(`the path has {${lineOf(name, 60) ?? ''}}, which is not among its parameters`);
}

interface PlannedBody {
  readonly plan: BodyPlan;
  readonly properties: Iterable<readonly [string, UnknownObject]>;
  readonly required: readonly string[];
}

function bodyOf(
  document: OpenApiDocument,
  { operation, method }: FoundOperation,
  parts: { readonly schema: ToolSchema; readonly names: UniqueNames },
): PlannedBody | undefined {
  const body = document.references.follow(operation.requestBody);
  if (body === undefined || !isRecord(body.content) || Object.keys(body.content).length === 0)
    return undefined;
  if (method !== 'GET') return plannedBody(document, body, parts);
  if (body.required === true) throw new Unsupported('a GET has no body');
  return undefined;
}
