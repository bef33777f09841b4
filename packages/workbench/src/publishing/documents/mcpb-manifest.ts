import type { UnknownObject } from '@tenon/mcp-client';
import { WorkbenchError } from '../../failures/workbench-error.js';
import { withoutScope } from '../package-facts.js';
import { type DocumentSource, programArguments, variablesOf } from './document-source.js';
import { mcpbVersion } from './mcpb-schema.js';

/** The folder of the bundle, in texts of a manifest. */
const folder = '${' + '__dirname}';

/** The longest description of a tool, in characters. */
const longestTool = 500;

/**
 * Returns the `manifest.json` of an MCPB bundle of a Node program.
 * @throws WorkbenchError `usage` if the package has no name or no program.
 * @see https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md
 */
export function mcpbManifest(source: DocumentSource): UnknownObject {
  const { catalog, facts, target } = source;
  const { name, program, author, repository } = facts;
  if (name === undefined || program === undefined) {
    throw new WorkbenchError('usage', 'package.json has no name or no program.', {
      hint: 'Add "name", and "bin" with the path of the program that serves over stdio.',
    });
  }
  const path = program.replace(/^\.\//, '');
  const variables = variablesOf(target);
  const { title } = catalog.server ?? {};
  return {
    manifest_version: mcpbVersion,
    name: withoutScope(name),
    ...(title !== undefined && { display_name: title }),
    version: facts.version ?? catalog.server?.version ?? '',
    description: facts.description ?? catalog.server?.description ?? '',
    ...(author !== undefined && { author: { ...author } }),
    ...(repository !== undefined && { repository: { type: 'git', url: repository.url } }),
    ...(facts.homepage !== undefined && { homepage: facts.homepage }),
    ...(facts.bugs !== undefined && { support: facts.bugs }),
    server: {
      type: 'node',
      entry_point: path,
      mcp_config: {
        command: 'node',
        args: [`${folder}/${path}`, ...programArguments(target, facts)],
        ...(variables.length > 0 && {
          env: Object.fromEntries(
            variables.map((one) => [one.name, `$\{user_config.${settingOf(one.name)}}`]),
          ),
        }),
      },
    },
    tools: catalog.tools.map(({ name: tool, description }) => ({
      name: tool,
      ...(description !== undefined && { description: description.slice(0, longestTool) }),
    })),
    ...(catalog.prompts.length > 0 && { prompts_generated: true }),
    ...(facts.keywords.length > 0 && { keywords: [...facts.keywords] }),
    ...(facts.license !== undefined && { license: facts.license }),
    compatibility: { runtimes: { node: facts.node ?? '>=20' } },
    ...(variables.length > 0 && { user_config: settings(variables) }),
  };
}

function settings(variables: ReturnType<typeof variablesOf>): UnknownObject {
  return Object.fromEntries(
    variables.map(({ name, isSecret }) => [
      settingOf(name),
      {
        ...{ type: 'string', title: name, description: `The variable ${name} of the server.` },
        ...{ required: true, sensitive: isSecret },
      },
    ]),
  );
}

/** Returns the name of the setting of a variable. */
function settingOf(variable: string): string {
  return variable.toLowerCase();
}
