import { CreateError } from '../failure.js';
import type { PackageManager } from './package-managers.js';

/** The templates, with what a prompt says of each. */
export const templates: Readonly<Record<'stdio' | 'http' | 'workers' | 'next', string>> = {
  stdio: 'clients start the server on the same machine',
  http: 'a Node server with a URL',
  workers: 'Cloudflare Workers',
  next: 'a Next.js application with an MCP route',
};

/** The name of a template. */
export type Template = keyof typeof templates;

/** The templates that have each optional feature. */
export const featureTemplates: Readonly<Record<'auth' | 'docker', readonly Template[]>> = {
  auth: ['http', 'workers'],
  docker: ['http'],
};

/** The decisions on the files of a project. */
export interface Choices {
  readonly template: Template;
  /** The name in package.json. */
  readonly packageName: string;
  readonly packageManager: PackageManager;
  readonly test: boolean;
  readonly auth: boolean;
  readonly docker: boolean;
}

/**
 * Returns a template by its name.
 * @throws CreateError if there is no such template.
 */
export function requireTemplate(name: string): Template {
  if (Object.hasOwn(templates, name)) return name as Template;
  const known = Object.keys(templates).join(', ');
  throw new CreateError(`There is no template ${JSON.stringify(name)}.`, { hint: `Templates: ${known}.` });
}

/** Returns whether a template has a feature. */
export function hasFeature(template: Template, feature: keyof typeof featureTemplates): boolean {
  return featureTemplates[feature].includes(template);
}

/** @throws CreateError if the template does not have the feature. */
export function requireFeature(template: Template, feature: keyof typeof featureTemplates): void {
  if (hasFeature(template, feature)) return;
  const others = featureTemplates[feature].map((name) => `--template ${name}`).join(' or ');
  throw new CreateError(`The template ${template} has no --${feature}.`, {
    hint: `Use ${others}, or leave --${feature} out.`,
  });
}
