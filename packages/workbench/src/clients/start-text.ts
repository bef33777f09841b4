import { secrecyOf } from '@tenon/foundation/redaction';
import type { ServerTarget } from '../connections/server-target.js';
import type { ConfiguredServer } from './read-servers.js';
import { commandLine, referencesIn, type Template, templateText, visibleText } from './template.js';

/**
 * Returns the lines that show what using a server does: the whole command, and the names of variables.
 * @param target - the same server with all references filled in.
 */
export function startText({ file, folder, entry }: ConfiguredServer, target: ServerTarget): string[] {
  const cut = (template: Template) => visibleText(templateText(template));
  const hasReferences = (value: Template) => referencesIn(value).length > 0;
  const shown = (name: string, value: Template) =>
    secrecyOf(name) === undefined || hasReferences(value) ? cut(value) : '***';
  if (entry.kind === 'url') {
    const headers = Object.entries(entry.headers).filter(([, value]) => hasReferences(value));
    return [
      `  file     ${visibleText(file)}`,
      `  URL      ${cut(entry.url)}`,
      ...headers.map(([name, value]) => `  header   ${visibleText(name)}: ${cut(value)}`),
    ];
  }
  const { command, args, env, envFile, cwd } = entry;
  const all = target.kind === 'command' ? Object.keys(target.env ?? {}) : [];
  const more = all.filter((name) => !Object.hasOwn(env, name)).map(visibleText);
  return [
    `  file     ${visibleText(file)}`,
    `  command  ${visibleText(commandLine([command, ...args].map(templateText)))}`,
    `  folder   ${cwd === undefined ? visibleText(folder) : cut(cwd)}`,
    // A variable such as NODE_OPTIONS changes the command, so values are shown, except those of secrets.
    ...Object.entries(env).map(([name, value]) => `  variable ${visibleText(name)}=${shown(name, value)}`),
    ...(envFile === undefined ? [] : [`  variables of ${cut(envFile)}: ${more.join(', ') || 'none'}`]),
  ];
}
