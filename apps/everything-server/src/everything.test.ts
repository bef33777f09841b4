import { serverPort } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { createEverythingServer } from './everything.js';

const server = createEverythingServer();
let ids = 0;

/** Sends a stateless request; resolves with the result, or rejects with the error. */
async function ask(method: string, params: object = {}, capabilities: object = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const request = { jsonrpc: '2.0', id: ++ids, method, params: { ...params, _meta } };
  const frame = await server[serverPort].answer(request, { facts: {}, send: () => undefined });
  const { result, error } = JSON.parse(frame ?? '{}');
  if (error !== undefined) throw new Error(`${error.code} ${JSON.stringify(error.data)}`);
  return result;
}

/** Calls a tool, and returns its input requests by key. */
async function asked(name: string, capabilities: object): Promise<Record<string, { method: string }>> {
  const { resultType, inputRequests } = await ask('tools/call', { name }, capabilities);
  expect(resultType).toBe('input_required');
  return inputRequests;
}

const all = { elicitation: { form: {} }, sampling: {}, roots: {} };

describe('tools', () => {
  it('include every tool of the suite, each with a description', async () => {
    const { tools } = await ask('tools/list');
    const named = new Map(
      tools.map((tool: { name: string; description: string }) => [tool.name, tool.description]),
    );
    for (const name of [
      'test_simple_text',
      'test_image_content',
      'test_audio_content',
      'test_embedded_resource',
      'test_multiple_content_types',
      'test_tool_with_logging',
      'test_tool_with_progress',
      'test_error_handling',
      'test_sampling',
      'test_elicitation',
      'test_elicitation_sep1034_defaults',
      'test_elicitation_sep1330_enums',
      'test_reconnection',
      'json_schema_2020_12_tool',
      'test_x_mcp_header',
      'test_missing_capability',
      'test_streaming_elicitation',
      'test_logging_tool',
      'test_trigger_tool_change',
      'test_trigger_prompt_change',
      'test_input_required_result_elicitation',
      'test_input_required_result_sampling',
      'test_input_required_result_list_roots',
      'test_input_required_result_request_state',
      'test_input_required_result_multiple_inputs',
      'test_input_required_result_multi_round',
      'test_input_required_result_tampered_state',
      'test_input_required_result_capabilities',
    ]) {
      expect(named.get(name), name).toMatch(/^[A-Z].{8,}/);
    }
  });

  it('lists a tool without arguments first', async () => {
    const { tools } = await ask('tools/list');
    const result = await ask('tools/call', { name: tools[0].name, arguments: {} });
    expect(result).toMatchObject({ isError: false, content: [{ type: 'text' }] });
  });

  it('lists a schema with its definition, and the definition in place of a reference', async () => {
    const { tools } = await ask('tools/list');
    const tool = tools.find(({ name }: { name: string }) => name === 'json_schema_2020_12_tool');
    const address = { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } };
    expect(tool.inputSchema).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: { $anchor: 'addressDef', ...address },
      },
      properties: {
        name: { type: 'string' },
        address,
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      ...JSON.parse('{ "then": { "required": ["phone"] } }'),
      else: { required: ['email'] },
      additionalProperties: false,
    });
  });

  it('return the input requests of the suite, under their keys', async () => {
    const elicits = { method: 'elicitation/create' };
    const samples = { method: 'sampling/createMessage' };
    const roots = { method: 'roots/list' };
    const prefix = 'test_input_required_result_';
    expect(await asked(`${prefix}elicitation`, all)).toMatchObject({ user_name: elicits });
    expect(await asked(`${prefix}sampling`, all)).toMatchObject({ capital_question: samples });
    expect(await asked(`${prefix}list_roots`, all)).toMatchObject({ client_roots: roots });
    expect(await asked(`${prefix}request_state`, all)).toMatchObject({ confirm: elicits });
    expect(await asked(`${prefix}tampered_state`, all)).toMatchObject({ confirm: elicits });
    expect(await asked(`${prefix}multi_round`, all)).toMatchObject({ step1: elicits });
    expect(await asked(`${prefix}multiple_inputs`, all)).toMatchObject({
      user_name: elicits,
      greeting: samples,
      client_roots: roots,
    });
    expect(await asked(`${prefix}capabilities`, { sampling: {} })).toEqual({
      capital_question: expect.objectContaining(samples),
    });
  });

  it('fail when the client did not declare the capability', async () => {
    await expect(ask('tools/call', { name: 'test_missing_capability' })).rejects.toThrow(
      '-32021 {"requiredCapabilities":{"sampling":{}}}',
    );
  });

  it('continue with the answers and the state', async () => {
    const name = 'test_input_required_result_request_state';
    const { requestState } = await ask('tools/call', { name }, all);
    const inputResponses = { confirm: { action: 'accept', content: { ok: true } } };
    const result = await ask('tools/call', { name, inputResponses, requestState }, all);
    expect(result.content).toEqual([{ type: 'text', text: 'state-ok' }]);
  });
});

describe('resources and prompts', () => {
  it('include those of the suite', async () => {
    const { resources } = await ask('resources/list');
    expect(resources.map(({ uri }: { uri: string }) => uri)).toEqual([
      'skill://report-writing/SKILL.md',
      'skill://report-writing/references/guide.md',
      'ui://counter',
      'test://static-text',
      'test://static-binary',
      'test://watched-resource',
    ]);
    const { contents } = await ask('resources/read', { uri: 'test://template/123/data' });
    expect(JSON.parse(contents[0].text)).toMatchObject({ id: '123' });
    const { prompts } = await ask('prompts/list');
    expect(prompts.map(({ name }: { name: string }) => name)).toEqual([
      'test_simple_prompt',
      'test_prompt_with_arguments',
      'test_prompt_with_embedded_resource',
      'test_prompt_with_image',
      'test_input_required_result_prompt',
    ]);
  });

  it('use their arguments', async () => {
    const args = { arg1: 'hello', arg2: 'world' };
    const { messages } = await ask('prompts/get', { name: 'test_prompt_with_arguments', arguments: args });
    expect(messages[0].content.text).toBe("Prompt with arguments: arg1='hello', arg2='world'");
    const name = 'test_input_required_result_prompt';
    const { inputRequests } = await ask('prompts/get', { name }, all);
    expect(inputRequests).toHaveProperty('user_context');
  });
});

describe('skills', () => {
  it('have a SKILL.md and a file in a folder, which directories list', async () => {
    const { skills } = await ask('skills/list');
    const root = 'skill://report-writing';
    const uris = [`${root}/SKILL.md`, `${root}/references/guide.md`];
    expect(skills).toMatchObject([{ uri: uris[0], resources: [{ uri: uris[0] }, { uri: uris[1] }] }]);
    expect((await ask('skills/get', { uri: uris[0] })).skill).toEqual(skills[0]);
    const { resources } = await ask('resources/directory/read', { uri: root });
    expect(resources).toMatchObject([
      { uri: uris[0] },
      { uri: `${root}/references`, mimeType: 'inode/directory' },
    ]);
  });
});

describe('the app', () => {
  it('is the interface of a tool, and calls a tool that the model does not see', async () => {
    const { tools } = await ask('tools/list');
    const ui = new Map(
      tools.map((tool: { name: string; _meta?: { ui: object } }) => [tool.name, tool._meta?.ui]),
    );
    expect(ui.get('test_app')).toEqual({ resourceUri: 'ui://counter' });
    expect(ui.get('test_app_count')).toEqual({ resourceUri: 'ui://counter', visibility: ['app'] });
    const { contents } = await ask('resources/read', { uri: 'ui://counter' });
    expect(contents[0]).toMatchObject({ mimeType: 'text/html;profile=mcp-app', _meta: { ui: {} } });
    expect((await ask('tools/call', { name: 'test_app_count' })).structuredContent).toEqual({ count: 1 });
    expect((await ask('tools/call', { name: 'test_app' })).content[0].text).toBe('The count is 1');
  });
});
