import {
  revision20241105,
  revision20250326,
  revision20250618,
  revision20251125,
  revision20260728,
} from '@tenon/mcp-protocol/internal';
import type {
  ClientFact,
  ClientFeatures,
  KnownClient,
  NameRule,
  SchemaCheck,
  ToolBound,
} from './known-client.js';

const withHandshake = [revision20251125, revision20250618, revision20250326, revision20241105];

const zuplo = 'https://zuplo.com/learn/mcp/compatibility/clients';
const digest = 'https://www.developersdigest.tech/mcp-servers/clients';
/** A table of features that was made from the documentation of each client. */
const features = 'https://dev.to/serverdex/which-mcp-clients-support-which-features-i-read-the-docs-59kb';
const github = 'https://github.com';
const vscodeHandshake = `${github}/microsoft/vscode/blob/main/src/vs/workbench/contrib/mcp/common/mcpServerRequestHandler.ts`;
const gemini = `${github}/google-gemini/gemini-cli/blob/main/packages/core`;
const sdk = `${github}/modelcontextprotocol/typescript-sdk`;

/** A fact from the documentation, the code or an error message of the client. */
function fact<Value>(value: Value, source: string, date: string): ClientFact<Value> {
  return { value, source, date, isReport: false };
}

/** A fact that others report. */
function report<Value>(value: Value, source: string, date: string): ClientFact<Value> {
  return { value, source, date, isReport: true };
}

const anthropicRoot = fact<SchemaCheck>(
  'root-combination',
  `${github}/anthropics/claude-code/issues/40075`,
  '2026-03',
);
const anthropicNames = fact<SchemaCheck>(
  'property-names',
  `${github}/anthropics/claude-code/issues/79418`,
  '2026-07',
);
const anthropic = [anthropicRoot, anthropicNames];

const hosts: readonly KnownClient[] = [
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    transports: report(['stdio', 'http', 'sse'], digest, '2026-10'),
    revisions: report('handshake', `${zuplo}/claude-connectors`, '2026-07'),
    names: fact<NameRule>(
      { prefix: '', length: 64, characters: /^[A-Za-z0-9_-]+$/, effect: 'all-missing' },
      `${github}/evoila/meho/issues/2745`,
      '2026-08',
    ),
    schemas: [fact<SchemaCheck>('root-combination', `${github}/zereight/gitlab-mcp/issues/552`, '2026-06')],
    features: report({ resources: true, prompts: true, sampling: false }, features, '2026-11'),
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    transports: report(['stdio', 'http', 'sse'], `${digest}/claude-code`, '2026-10'),
    revisions: report('handshake', `${zuplo}/claude-code`, '2026-07'),
    names: report<NameRule>(
      { prefix: 'mcp__{server}__', length: 128, effect: 'missing' },
      `${github}/xsyetopz/claudetto/wiki/Claude-Code-MCP-Runtime`,
      '2026-10',
    ),
    resultTokens: fact(25_000, 'https://qiita.com/akihidem/items/32e331a9cbe0abf3af11', '2026-10'),
    schemas: anthropic,
    features: report(
      { resources: true, prompts: true, roots: true, elicitation: true, listChanged: true },
      `${digest}/claude-code`,
      '2026-11',
    ),
  },
  {
    id: 'vscode',
    name: 'VS Code (Copilot)',
    transports: report(['stdio', 'http', 'sse'], `${zuplo}/vs-code`, '2026-07'),
    // The code sends the newest revision that it knows, and accepts any that the server answers with.
    revisions: report('handshake', vscodeHandshake, '2026-07'),
    tools: fact<ToolBound>(
      { most: 128, effect: 'grouped' },
      `${github}/microsoft/vscode/issues/294055`,
      '2026-02',
    ),
    schemas: [fact<SchemaCheck>('array-items', `${github}/microsoft/vscode/issues/290225`, '2026-01')],
    features: report(
      { resources: true, prompts: true, sampling: true, roots: true, elicitation: true },
      features,
      '2026-11',
    ),
  },
  {
    id: 'cursor',
    name: 'Cursor',
    transports: report(['stdio', 'http', 'sse'], `${zuplo}/cursor`, '2026-07'),
    names: fact<NameRule>(
      // Names that reach 60 with the name of the server are left out.
      { prefix: '{server}', length: 59, effect: 'missing' },
      `${github}/ComposioHQ/composio/issues/2788`,
      '2026-02',
    ),
    features: report({ resources: true, prompts: true, roots: true, elicitation: true }, features, '2026-11'),
  },
  {
    id: 'codex',
    name: 'Codex',
    transports: report(['stdio', 'http'], `${zuplo}/codex-cli`, '2026-07'),
    names: fact<NameRule>(
      { prefix: 'mcp__{server}__', characters: /^[A-Za-z0-9_-]+$/, effect: 'renamed' },
      `${github}/openai/codex/pull/8694`,
      '2026-01',
    ),
    features: report({ resources: true, elicitation: true }, 'https://glama.ai/mcp/clients/codex', '2026-11'),
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    transports: report(['stdio', 'http', 'sse'], `${zuplo}/gemini-cli`, '2026-07'),
    revisions: fact(
      [revision20250618, revision20250326, revision20241105],
      `${gemini}/package.json`,
      '2026-08',
    ),
    names: fact<NameRule>(
      { prefix: 'mcp_{server}_', length: 63, characters: /^[\w.:-]+$/, effect: 'renamed' },
      `${gemini}/src/tools/mcp-tool.ts`,
      '2026-08',
    ),
    description: report(1_024, `${github}/asbis/shapeitup/releases/tag/v1.6.2`, '2026-04'),
    schemas: [
      report<SchemaCheck>(
        'property-name-schemas',
        `${github}/asbis/shapeitup/releases/tag/v1.6.2`,
        '2026-04',
      ),
    ],
    features: fact(
      { resources: true, prompts: true, sampling: false, roots: true, elicitation: false },
      `${gemini}/src/tools/mcp-client.ts`,
      '2026-08',
    ),
  },
  {
    id: 'goose',
    name: 'Goose',
    transports: report(['stdio', 'http'], `${digest}/goose`, '2026-10'),
    features: report({ resources: true }, `${digest}/goose`, '2026-10'),
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    transports: report(['http'], `${zuplo}/chatgpt-connectors`, '2026-07'),
    features: report({ elicitation: true }, features, '2026-11'),
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    transports: fact(['stdio', 'http', 'sse'], 'https://docs.windsurf.com/windsurf/cascade/mcp', '2026-06'),
    tools: fact<ToolBound>(
      { most: 100, effect: 'refused' },
      'https://docs.windsurf.com/windsurf/cascade/mcp',
      '2026-06',
    ),
    features: report({ resources: true, prompts: true }, features, '2026-11'),
  },
  {
    id: 'cline',
    name: 'Cline',
    transports: report(['stdio', 'http', 'sse'], `${digest}/cline`, '2026-10'),
  },
  {
    id: 'zed',
    name: 'Zed',
    transports: fact(['stdio', 'http'], 'https://zed.dev/docs/ai/mcp', '2026-11'),
    features: fact(
      { resources: false, prompts: true, sampling: false, elicitation: false, listChanged: true },
      'https://zed.dev/docs/ai/mcp',
      '2026-11',
    ),
  },
];

const everything: ClientFeatures = {
  resources: true,
  prompts: true,
  sampling: true,
  roots: true,
  elicitation: true,
  listChanged: true,
};

const libraries: readonly KnownClient[] = [
  {
    id: 'langchain',
    name: 'LangChain',
    transports: fact(
      ['stdio', 'http'],
      'https://docs.langchain.com/oss/python/langchain/mcp/index',
      '2026-11',
    ),
    names: report<NameRule>(
      { prefix: '', length: 64, effect: 'request-fails' },
      `${github}/tadata-org/fastapi_mcp/issues/161`,
      '2025-06',
    ),
    schemas: [
      fact<SchemaCheck>('root-combination', `${github}/langchain-ai/langchain/issues/39271`, '2026-08'),
      fact<SchemaCheck>('open-objects', `${github}/langchain-ai/langchainjs/issues/9496`, '2025-11'),
    ],
  },
  {
    id: 'openai-agents',
    name: 'OpenAI Agents SDK',
    transports: report(['stdio', 'http', 'sse'], `${digest}/openai-agents-sdk`, '2026-10'),
    schemas: [fact<SchemaCheck>('root-object', `${github}/openai/openai-agents-python/pull/4151`, '2026-08')],
    features: report({ resources: true }, `${digest}/openai-agents-sdk`, '2026-10'),
  },
  {
    id: 'sdk-1',
    name: 'TypeScript SDK 1.x',
    transports: fact(['stdio', 'http', 'sse'], sdk, '2026-11'),
    revisions: fact(withHandshake, sdk, '2026-11'),
    schemas: [
      fact<SchemaCheck>('root-object', sdk, '2026-11'),
      fact<SchemaCheck>('output-root-object', sdk, '2026-11'),
    ],
    features: fact(everything, sdk, '2026-11'),
  },
  {
    id: 'sdk-2',
    name: 'TypeScript SDK 2.x',
    transports: fact(['stdio', 'http', 'sse'], sdk, '2026-11'),
    revisions: fact([revision20260728, ...withHandshake], sdk, '2026-11'),
    schemas: [fact<SchemaCheck>('root-object', sdk, '2026-11')],
    features: fact(everything, sdk, '2026-11'),
  },
];

/** The clients that `tenon compat` compares a server with. */
export const knownClients: readonly KnownClient[] = [...hosts, ...libraries];
