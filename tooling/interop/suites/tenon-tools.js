import { isDeepStrictEqual } from 'node:util';
import { refusal, since, until } from '../run/cells.js';
import { png, wav } from '../servers/fixtures/values.js';
import { block, failed, text } from './fixture-dialects.js';

/** @typedef {import('../run/cells.js').Call} Call */
/** @typedef {import('../run/columns.js').Column} Column */

const image = { type: 'image', data: png, mimeType: 'image/png' };
const from =
  (/** @type {string} */ first, /** @type {object} */ members) =>
  (/** @type {Column} */ { speaks }) =>
    speaks < first ? {} : members;

const steps = [0, 50, 100].map((progress) => ({ progress, total: 100 }));

/** Names of tools that do not start with `test_`. */
const unprefixed = /^(json|greet|slow|failing|protocol|confirm|multi_)/;

/** @type {readonly Call[]} */
export const calls = [
  {
    name: 'negotiated revision',
    run: ({ peer }) => peer.revision(),
    expected: (/** @type {Column} */ { speaks }) => speaks,
  },
  {
    name: 'server info',
    run: ({ peer }) => peer.server(),
    expected: (/** @type {Column} */ column) => ({
      name: 'everything-server',
      version: '1.0.0',
      ...from('2025-06-18', { title: 'Everything' })(column),
    }),
  },
  {
    name: 'server info in a result',
    run: async ({ peer }) =>
      (await peer.call('test_simple_text'))._meta['io.modelcontextprotocol/serverInfo'],
    expected: { name: 'everything-server', title: 'Everything', version: '1.0.0' },
    unless: since('2026-07-28', 'server info in every result'),
  },
  {
    name: 'instructions',
    run: ({ peer }) => peer.instructions(),
    expected: 'One of everything, for testing clients.',
  },
  {
    name: 'capabilities',
    run: ({ peer }) => peer.capabilities(),
    expected: (/** @type {Column} */ column) => ({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      logging: {},
      ...from('2025-03-26', { completions: {} })(column),
      ...(column.speaks === '2025-11-25' && {
        tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
      }),
      extensions: {
        'io.modelcontextprotocol/skills': { directoryRead: true },
        'io.modelcontextprotocol/ui': {},
        ...from('2026-07-28', { 'io.modelcontextprotocol/tasks': {} })(column),
        // Only with shared state can another process answer a call that is repeated.
        ...(column.processes !== undefined &&
          from('2026-07-28', { 'dev.tenon/idempotency-key': {} })(column)),
      },
    }),
  },
  {
    name: 'ping',
    run: ({ peer }) => peer.ping(),
    expected: {},
    unless: until('2025-11-25', 'ping'),
  },
  {
    name: 'tools/list: names over pages',
    run: async ({ peer }) => (await peer.tools()).map(({ name }) => name),
    expected: [
      ...['simple_text', 'image_content', 'audio_content', 'embedded_resource', 'multiple_content_types'],
      ...['resource_link', 'tool_with_logging', 'logging_tool', 'tool_with_progress', 'error_handling'],
      ...['reconnection', 'sampling', 'elicitation', 'elicitation_sep1034_defaults'],
      ...['elicitation_sep1330_enums', 'streaming_elicitation', 'missing_capability'],
      ...['elicitation', 'sampling', 'list_roots', 'request_state', 'tampered_state', 'multiple_inputs']
        .concat('multi_round', 'capabilities')
        .map((name) => `input_required_result_${name}`),
      'json_schema_2020_12_tool',
      ...['x_mcp_header', 'structured_content', 'trigger_tool_change', 'trigger_prompt_change'],
      'trigger_resource_change',
      ...['greet', 'slow_compute', 'failing_job', 'protocol_error_job', 'confirm_delete', 'multi_input'],
      ...['tool_with_task', 'app', 'app_count'],
    ].map((name) => (unprefixed.test(name) ? name : `test_${name}`)),
  },
  {
    name: 'tools/list: a definition',
    run: async ({ peer }) => (await peer.tools()).find(({ name }) => name === 'test_structured_content'),
    expected: structuredDefinition,
  },
  {
    name: 'tools/list: JSON Schema, its reference replaced',
    run: async ({ peer }) =>
      (await peer.tools()).find(({ name }) => name === 'json_schema_2020_12_tool').inputSchema,
    expected: inlinedContactSchema(),
  },
  {
    name: 'tools/call: text',
    run: ({ peer }) => peer.call('test_simple_text'),
    expected: text('This is a simple text response for testing.'),
  },
  {
    name: 'tools/call: image',
    run: ({ peer }) => peer.call('test_image_content'),
    expected: { content: [image] },
  },
  {
    name: 'tools/call: audio',
    run: ({ peer }) => peer.call('test_audio_content'),
    expected: { content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] },
    unless: since('2025-03-26', 'audio'),
  },
  {
    name: 'tools/call: embedded resource',
    run: ({ peer }) => peer.call('test_embedded_resource'),
    expected: {
      content: [
        {
          type: 'resource',
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ],
    },
  },
  {
    name: 'tools/call: many blocks',
    run: ({ peer }) => peer.call('test_multiple_content_types'),
    expected: {
      content: [
        block('Multiple content types test:'),
        image,
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: '{"test":"data","value":123}',
          },
        },
      ],
    },
  },
  {
    name: 'tools/call: resource link',
    run: ({ peer }) => peer.call('test_resource_link'),
    expected: {
      content: [
        { type: 'resource_link', uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
      ],
    },
    unless: since('2025-06-18', 'a link to a resource'),
  },
  {
    name: 'tools/call: structured content',
    run: ({ peer }) => peer.call('test_structured_content', { a: 2, b: 0.5 }),
    expected: (/** @type {Column} */ column) => ({
      ...text('{"sum":2.5}'),
      ...from('2025-06-18', { structuredContent: { sum: 2.5 } })(column),
    }),
  },
  {
    name: 'tools/call: arguments by JSON Schema',
    run: ({ peer }) => peer.call('test_x_mcp_header', { region: 'nord', level: 2 }),
    expected: text('Ran in nord at level 2'),
  },
  {
    name: 'tools/call: isError',
    run: ({ peer }) => peer.call('test_error_handling'),
    expected: failed('This tool intentionally returns an error for testing'),
  },
  {
    name: 'tools/call: bad arguments',
    run: ({ peer }) => refusal(peer.call('test_structured_content', { a: 2, b: 'x' })),
    expected: (/** @type {Column} */ { speaks }) => {
      const message = `Invalid arguments for tool test_structured_content: b: ${wrongType('number', 'string')}`;
      return speaks < '2025-11-25' ? { code: -32602, message } : { value: failed(message) };
    },
  },
  {
    name: 'tools/call: conditions of a schema',
    run: async ({ peer }) => {
      const good = await peer.call('json_schema_2020_12_tool', { contactMethod: 'phone', phone: '1' });
      const bad = await refusal(
        peer.call('json_schema_2020_12_tool', { contactMethod: 'phone', email: 'e' }),
      );
      return { good: good.content[0].text, refused: bad.code === -32602 || bad.value.isError === true };
    },
    expected: { good: 'Contact: {"contactMethod":"phone","phone":"1"}', refused: true },
  },
  {
    name: 'tools/call: unknown tool',
    run: ({ peer }) => refusal(peer.call('unknown')),
    expected: { code: -32602, message: 'Unknown tool: unknown' },
  },
  {
    name: 'tools/call: 50 at once',
    run: async ({ peer }) => {
      const sums = Array.from({ length: 50 }, (_, n) =>
        peer.call('test_structured_content', { a: n, b: 1000 }),
      );
      return (await Promise.all(sums)).map(({ content }) => content[0].text);
    },
    expected: Array.from({ length: 50 }, (_, n) => `{"sum":${n + 1000}}`),
  },
  {
    name: 'progress',
    run: async ({ peer }) => {
      const received = /** @type {unknown[]} */ ([]);
      const onProgress = (/** @type {unknown} */ progress) => received.push(progress);
      const result = await peer.call('test_tool_with_progress', undefined, { onProgress });
      // The official clients drop notifications that arrive in one chunk with the answer, which may be all but the first.
      return { result, received: received.slice(0, 1), inOrder: isBeginning(received, steps) };
    },
    expected: {
      result: text('Tool with progress executed successfully'),
      received: steps.slice(0, 1),
      inOrder: true,
    },
  },
  {
    name: 'logging',
    run: async ({ peer, application }) => {
      await peer.setLogLevel('info');
      application.logs.take();
      const result = await peer.call('test_tool_with_logging');
      return { result, logs: await application.logs.first(3) };
    },
    expected: {
      result: text('Tool with logging executed successfully'),
      logs: ['Tool execution started', 'Tool processing data', 'Tool execution completed'].map((data) => ({
        level: 'info',
        data,
      })),
    },
  },
  {
    name: 'logging: below the level',
    run: async ({ peer, application }) => {
      await peer.setLogLevel('warning');
      application.logs.take();
      await peer.call('test_logging_tool');
      return application.logs.take();
    },
    expected: [],
  },
  {
    name: 'cancellation',
    run: async ({ peer }) => {
      const controller = new AbortController();
      const options = { signal: controller.signal, onProgress: () => controller.abort() };
      const cancelled = await peer.call('test_tool_with_progress', undefined, options).then(
        () => false,
        () => true,
      );
      return { cancelled, next: await peer.call('test_simple_text') };
    },
    expected: { cancelled: true, next: text('This is a simple text response for testing.') },
  },
];

/**
 * @param {unknown[]} some
 * @param {unknown[]} all
 */
function isBeginning(some, all) {
  return isDeepStrictEqual(some, all.slice(0, some.length));
}

/**
 * @param {string} expected
 * @param {string} given
 */
function wrongType(expected, given) {
  return `Invalid input: expected ${expected}, received ${given}`;
}

/** @param {Column} column */
function structuredDefinition(column) {
  const sum = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
  return {
    name: 'test_structured_content',
    description: 'Adds two numbers and returns structured output',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
    ...from('2025-03-26', { annotations: { readOnlyHint: true, openWorldHint: false } })(column),
    ...from('2025-06-18', { outputSchema: { ...sum, additionalProperties: false } })(column),
  };
}

function contactSchema() {
  return JSON.parse(`{
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
      "address": {
        "$anchor": "addressDef",
        "type": "object",
        "properties": { "street": { "type": "string" }, "city": { "type": "string" } }
      }
    },
    "properties": {
      "name": { "type": "string" },
      "address": { "$ref": "#/$defs/address" },
      "contactMethod": { "type": "string", "enum": ["phone", "email"] },
      "phone": { "type": "string" },
      "email": { "type": "string" }
    },
    "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
    "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
    "then": { "required": ["phone"] },
    "else": { "required": ["email"] },
    "additionalProperties": false
  }`);
}

/** The schema of contacts as clients receive it: a reference that is not recursive is replaced by its definition. */
function inlinedContactSchema() {
  const schema = contactSchema();
  const { $anchor, ...address } = schema.$defs.address;
  return { ...schema, properties: { ...schema.properties, address } };
}
