import type { SchemaObject } from '@tenon/mcp-client';
import { closed, flag, listOf, mapOf, oneOf, short, text, url } from './schema-parts.js';

/** The version of manifests that are made. */
export const mcpbVersion = '0.3';

const numeral: SchemaObject = { type: 'number' };
const config = { command: text, args: listOf(text), env: mapOf(text) };

const setting = closed(
  {
    type: oneOf('string', 'number', 'boolean', 'directory', 'file'),
    title: text,
    description: text,
    required: flag,
    default: { anyOf: [text, numeral, flag, listOf(text)] },
    multiple: flag,
    sensitive: flag,
    min: numeral,
    max: numeral,
  },
  ['type', 'title', 'description'],
);

/** https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md */
export const mcpbSchema: SchemaObject = {
  ...closed(
    {
      $schema: text,
      manifest_version: oneOf('0.1', '0.2', mcpbVersion, '0.4'),
      dxt_version: oneOf('0.1', '0.2', mcpbVersion, '0.4'),
      name: short(200),
      display_name: text,
      version: short(255),
      description: short(10_000),
      long_description: text,
      author: closed({ name: short(200), email: { type: 'string', format: 'email' }, url }, ['name']),
      repository: closed({ type: text, url }, ['type', 'url']),
      homepage: url,
      documentation: url,
      support: url,
      icon: text,
      icons: listOf(
        closed({ src: text, size: { type: 'string', pattern: '^\\d+x\\d+$' }, theme: short(100) }, [
          'src',
          'size',
        ]),
      ),
      screenshots: listOf(text),
      localization: closed(
        { resources: { type: 'string', pattern: '\\$\\{locale\\}' }, default_locale: text },
        ['resources', 'default_locale'],
      ),
      server: closed(
        {
          type: oneOf('node', 'python', 'binary', 'uv'),
          entry_point: short(2_048),
          mcp_config: closed({ ...config, platform_overrides: mapOf(closed(config)) }, ['command']),
        },
        ['type', 'entry_point', 'mcp_config'],
      ),
      tools: listOf(closed({ name: text, description: text }, ['name'])),
      tools_generated: flag,
      prompts: listOf(
        closed({ name: text, description: text, arguments: listOf(text), text }, ['name', 'text']),
      ),
      prompts_generated: flag,
      keywords: listOf(text),
      license: text,
      privacy_policies: listOf(url),
      compatibility: closed({
        claude_desktop: text,
        platforms: listOf(oneOf('darwin', 'win32', 'linux')),
        runtimes: closed({ node: text, python: text }),
      }),
      user_config: mapOf(setting),
      _meta: mapOf({ type: 'object' }),
    },
    ['name', 'version', 'description', 'author', 'server'],
  ),
  anyOf: [{ required: ['manifest_version'] }, { required: ['dxt_version'] }],
};
