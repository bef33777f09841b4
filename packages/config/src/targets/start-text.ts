import { secrecyOf } from '@tenon/foundation/redaction';
import { commandLine, referencesIn, type Template, templateText, visibleText } from '../entries/template.js';
import type { ConfiguredServer } from '../servers/parse-servers.js';
import type { ConfiguredTarget } from './resolve-target.js';

/**
 * Returns the lines that show what using a server does: the whole command, and the names of variables.
 * @param target - the same server with all references filled in.
 */
export function startText({ file, folder, entry }: ConfiguredServer, target: ConfiguredTarget): string[] {
  const cut = (template: Template) => shownText(templateText(template));
  const hasReferences = (value: Template) => referencesIn(value).length > 0;
  const shown = (name: string, value: Template) =>
    secrecyOf(name) === undefined || hasReferences(value) ? cut(value) : '***';
  if (entry.kind === 'url') {
    const headers = Object.entries(entry.headers).filter(([, value]) => hasReferences(value));
    return [
      `  file     ${shownText(file)}`,
      `  URL      ${cut(entry.url)}`,
      ...headers.map(([name, value]) => `  header   ${shownText(name)}: ${cut(value)}`),
    ];
  }
  const { command, args, env, envFile, cwd } = entry;
  const all = 'command' in target ? Object.keys(target.env) : [];
  const more = all.filter((name) => !Object.hasOwn(env, name)).map(shownText);
  return [
    `  file     ${shownText(file)}`,
    `  command  ${shownText(commandLine([command, ...args].map(templateText)))}`,
    `  folder   ${cwd === undefined ? shownText(folder) : cut(cwd)}`,
    // A variable such as NODE_OPTIONS changes the command, so values are shown, except those of secrets.
    ...Object.entries(env).map(([name, value]) => `  variable ${shownText(name)}=${shown(name, value)}`),
    ...(envFile === undefined ? [] : [`  variables of ${cut(envFile)}: ${more.join(', ') || 'none'}`]),
  ];
}

/** Returns a text with the number of spaces in place of many, which could move the rest out of sight. */
function shownText(text: string): string {
  return visibleText(text).replaceAll(/\s{5,}/g, (spaces) => ` (${spaces.length} spaces) `);
}
