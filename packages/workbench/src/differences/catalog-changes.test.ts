import { describe, expect, it } from 'vitest';
import type { Catalog } from '../catalog/catalog.js';
import { catalogChanges } from './catalog-changes.js';
import { resultChanges } from './result-changes.js';

const catalog = (members: object): Catalog => ({
  ...{ revision: '', server: undefined, capabilities: {}, instructions: undefined },
  ...{ tools: [], resources: [], resourceTemplates: [], prompts: [] },
  ...members,
});

const tool = (members: object) =>
  catalog({ tools: [{ name: 'a', inputSchema: { type: 'object' }, ...members }] });
const prompt = (...given: object[]) => catalog({ prompts: [{ name: 'a', arguments: given }] });
const resource = (members: object) => catalog({ resources: [{ uri: 'a:b', name: 'b', ...members }] });

const lines = (before: Catalog, after: Catalog) =>
  catalogChanges(before, after).map(
    ({ subject, name, change, breaking, details }) =>
      `${subject} ${name} ${change}${breaking ? ' *' : ''}${details.map(({ path, text }) => `: ${path} ${text}`).join('')}`,
  );

describe('catalogChanges', () => {
  it.each([
    ['a removed tool', tool({}), catalog({}), ['tool a removed *']],
    ['a new tool', catalog({}), tool({}), ['tool a added']],
    [
      'a tool that may write now',
      tool({ annotations: { readOnlyHint: true } }),
      tool({ annotations: {} }),
      ['tool a changed *: annotations.readOnlyHint removed, was true'],
    ],
    [
      'a tool that may destroy now',
      tool({ annotations: { destructiveHint: false } }),
      tool({ annotations: { destructiveHint: true } }),
      ['tool a changed *: annotations.destructiveHint is true, was false'],
    ],
    [
      'another hint',
      tool({}),
      tool({ annotations: { readOnlyHint: true } }),
      ['tool a changed: annotations.readOnlyHint true added'],
    ],
    [
      'a removed output schema',
      tool({ outputSchema: { type: 'object' } }),
      tool({}),
      ['tool a changed *: output schema removed'],
    ],
    [
      'a new output schema',
      tool({}),
      tool({ outputSchema: { type: 'object' } }),
      ['tool a changed: output schema added'],
    ],
    [
      'a new required argument of a prompt',
      prompt(),
      prompt({ name: 'x', required: true }),
      ['prompt a changed *: arguments.x added, required'],
    ],
    [
      'a new optional argument of a prompt',
      prompt(),
      prompt({ name: 'x' }),
      ['prompt a changed: arguments.x added'],
    ],
    [
      'a removed argument of a prompt',
      prompt({ name: 'x' }),
      prompt(),
      ['prompt a changed *: arguments.x removed'],
    ],
    [
      'another media type',
      resource({ mimeType: 'text/plain' }),
      resource({ mimeType: 'text/html' }),
      ['resource a:b changed *: mimeType is "text/html", was "text/plain"'],
    ],
    [
      'a removed template',
      catalog({ resourceTemplates: [{ uriTemplate: 'a:{b}', name: 'b' }] }),
      catalog({}),
      ['template a:{b} removed *'],
    ],
    [
      'a removed capability',
      catalog({ capabilities: { resources: { subscribe: true } } }),
      catalog({ capabilities: { resources: { subscribe: false } } }),
      ['capability resources.subscribe removed *'],
    ],
    [
      'a new capability',
      catalog({}),
      catalog({ capabilities: { logging: {} } }),
      ['capability logging added'],
    ],
    [
      'new instructions',
      catalog({ instructions: 'a' }),
      catalog({ instructions: 'b' }),
      ['instructions instructions changed:  is "b", was "a"'],
    ],
    ['nothing', tool({ title: 'a' }), tool({ title: 'a' }), []],
  ] as const)('reports %s', (...[, before, after, expected]) => {
    expect(lines(before, after)).toEqual(expected);
  });
});

describe('resultChanges', () => {
  const call = (answer: object) => [
    { method: 'tools/call', params: { name: 'a' }, answer: answer as { result: unknown } },
  ];
  const structured = (structuredContent: unknown) => call({ result: { structuredContent } });
  const changes = (before: ReturnType<typeof call>, after: ReturnType<typeof call>) =>
    resultChanges(before, after).flatMap(({ details }) =>
      details.map(({ path, text, breaking }) => `${path} ${text}${breaking ? ' *' : ''}`),
    );

  it.each([
    ['another value', structured({ a: 1 }), structured({ a: 2 }), ['structuredContent.a is 2, was 1']],
    ['another type', structured({ a: 1 }), structured({ a: '1' }), ['structuredContent.a is "1", was 1 *']],
    ['a removed member', structured({ a: 1 }), structured({}), ['structuredContent.a removed, was 1 *']],
    [
      'a shorter list',
      structured({ a: [1, 2] }),
      structured({ a: [1] }),
      ['structuredContent.a.1 removed, was 2'],
    ],
    [
      'a call that fails now',
      structured({}),
      call({ error: { code: 1, message: 'no' } }),
      [' fails now: no *'],
    ],
    [
      'a tool that fails now',
      call({ result: {} }),
      call({ result: { isError: true } }),
      ['isError is true now *'],
    ],
    [
      'a tool that no longer fails',
      call({ result: { isError: true } }),
      call({ result: {} }),
      ['isError is no longer true'],
    ],
    ['nothing for redacted values', structured({ a: '[redacted]' }), structured({ a: 'b' }), []],
    ['nothing for expectations', structured({ $expect: { any: true } }), structured({ a: 'b' }), []],
    ['nothing for other ids of the server', call({ result: { _meta: { a: 1 } } }), call({ result: {} }), []],
  ] as const)('reports %s', (...[, before, after, expected]) => {
    expect(changes([...before], [...after])).toEqual(expected);
  });

  it('cuts a long list of differences, and keeps that one of them breaks callers', () => {
    const list = (value: unknown) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`m${index}`, value]));
    const found = changes(structured(list(1)), structured(list('1')));
    expect(found).toHaveLength(11);
    expect(found.at(-1)).toBe(' and 20 more *');
  });
});
