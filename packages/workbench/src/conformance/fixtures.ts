import type { Catalog } from '../catalog/catalog.js';

/** A thing that a scenario of the suite uses, and that only a server made for the suite has. */
type Need =
  | { readonly tool: string }
  | { readonly prompt: string }
  | { readonly resource: string }
  | { readonly template: string }
  | { readonly capability: string }
  | { readonly extension: string };

/** By the name of the scenario, or its beginning. */
const needs: Readonly<Record<string, Need>> = {
  'completion-complete': { prompt: 'test_prompt_with_arguments' },
  'elicitation-sep1034-defaults': { tool: 'test_elicitation_sep1034_defaults' },
  'elicitation-sep1330-enums': { tool: 'test_elicitation_sep1330_enums' },
  'http-custom-header-server-validation': { tool: 'test_x_mcp_header' },
  'input-required-result-non-tool-request': { prompt: 'test_input_required_result_prompt' },
  'input-required-result-': { tool: 'test_input_required_result_elicitation' },
  'json-schema-2020-12': { tool: 'json_schema_2020_12_tool' },
  'logging-set-level': { capability: 'logging' },
  'prompts-get-embedded-resource': { prompt: 'test_prompt_with_embedded_resource' },
  'prompts-get-simple': { prompt: 'test_simple_prompt' },
  'prompts-get-with-args': { prompt: 'test_prompt_with_arguments' },
  'prompts-get-with-image': { prompt: 'test_prompt_with_image' },
  'prompts-list': { capability: 'prompts' },
  'resources-list': { capability: 'resources' },
  'resources-read-binary': { resource: 'test://static-binary' },
  'resources-read-text': { resource: 'test://static-text' },
  'resources-subscribe': { resource: 'test://watched-resource' },
  'resources-templates-read': { template: 'test://template/{id}/data' },
  'resources-unsubscribe': { resource: 'test://watched-resource' },
  'sep-2164-resource-not-found': { capability: 'resources' },
  'sep-2640-skills-': { extension: 'io.modelcontextprotocol/skills' },
  'server-sse-multiple-streams': { capability: 'tools' },
  'server-sse-polling': { tool: 'test_reconnection' },
  'tasks-': { extension: 'io.modelcontextprotocol/tasks' },
  'tools-call-audio': { tool: 'test_audio_content' },
  'tools-call-elicitation': { tool: 'test_elicitation' },
  'tools-call-embedded-resource': { tool: 'test_embedded_resource' },
  'tools-call-error': { tool: 'test_error_handling' },
  'tools-call-image': { tool: 'test_image_content' },
  'tools-call-mixed-content': { tool: 'test_multiple_content_types' },
  'tools-call-sampling': { tool: 'test_sampling' },
  'tools-call-simple-text': { tool: 'test_simple_text' },
  'tools-call-with-logging': { tool: 'test_tool_with_logging' },
  'tools-call-with-progress': { tool: 'test_tool_with_progress' },
  'tools-list': { capability: 'tools' },
};

/**
 * Returns the thing that a scenario uses and a server lacks, such as `the tool test_simple_text`; undefined if it has all. Such a
 * scenario says nothing about the server.
 */
export function missingFixture(scenario: string, catalog: Catalog): string | undefined {
  const name = Object.keys(needs).find(
    (key) => scenario === key || (key.endsWith('-') && scenario.startsWith(key)),
  );
  const need = name === undefined ? undefined : needs[name];
  if (need === undefined || has(need, catalog)) return undefined;
  const [[kind, thing] = []] = Object.entries(need);
  return `the ${kind} ${thing}`;
}

function has(need: Need, { tools, prompts, resources, resourceTemplates, capabilities }: Catalog): boolean {
  if ('tool' in need) return tools.some(({ name }) => name === need.tool);
  if ('prompt' in need) return prompts.some(({ name }) => name === need.prompt);
  if ('resource' in need) return resources.some(({ uri }) => uri === need.resource);
  if ('template' in need) return resourceTemplates.some(({ uriTemplate }) => uriTemplate === need.template);
  if ('extension' in need) return Object.hasOwn(Object(capabilities.extensions), need.extension);
  return Object.hasOwn(capabilities, need.capability);
}
