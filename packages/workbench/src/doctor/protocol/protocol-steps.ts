import { type Client, SessionError } from '@tenon/mcp-client';
import { readCatalog } from '../../catalog/catalog.js';
import { type Examination, type Finding, passed, warned } from '../examination.js';
import type { Contact } from './contact.js';

/** Runs the steps that are the same for each transport: the lists, and a ping. They need the step `revision`. */
export async function examineProtocol(examination: Examination, contact: Contact): Promise<void> {
  await examination.run({
    ...{ id: 'lists', title: 'Lists', needs: ['revision'] },
    work: async (signal) => examineLists(await contact.client(), contact, signal),
  });
  await examination.run({
    ...{ id: 'ping', title: 'Ping', needs: ['revision'] },
    work: async () => examinePing(await contact.client()),
  });
}

async function examineLists(client: Client, contact: Contact, signal: AbortSignal): Promise<Finding> {
  const before = contact.problems.length;
  const { tools, resources, resourceTemplates, prompts } = await readCatalog(client, { signal });
  // Schemas are checked when a tool is called: the client of a diagnosis checks them now.
  const problems = [...contact.problems.slice(before), ...repeated(tools.map(({ name }) => name))];
  const summary = [
    counted(tools.length, 'tool'),
    counted(resources.length, 'resource'),
    counted(resourceTemplates.length, 'template'),
    counted(prompts.length, 'prompt'),
  ].join(', ');
  const broken = tools.filter(({ inputSchema }) => Object(inputSchema).type !== 'object');
  problems.push(...broken.map(({ name }) => `tool ${name}: the input schema has no "type": "object"`));
  if (problems.length > 0)
    return warned(summary, {
      details: problems,
      fix: 'Clients drop or reject such entries. "tenon lint" checks them one by one.',
    });
  const isEmpty = tools.length + resources.length + resourceTemplates.length + prompts.length === 0;
  if (isEmpty)
    return warned('the server offers nothing', {
      details: [`capabilities: ${Object.keys(client.capabilities).join(', ') || 'none'}`],
      fix: 'Register tools, resources or prompts before the server is served. A server without the capability of a list is not listed.',
    });
  return passed(summary);
}

function repeated(names: readonly string[]): readonly string[] {
  const double = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...double].map((name) => `tool ${name}: the name is listed more than once`);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

async function examinePing(client: Client): Promise<Finding> {
  const started = client.clock.now();
  try {
    await client.ping();
  } catch (error) {
    if (!(error instanceof SessionError) || error.reason !== 'not-in-revision') throw error;
    return passed(`${client.revision} has no ping`);
  }
  return passed(`answered in ${Math.round(client.clock.now() - started)} ms`);
}

/** Describes the server that has been reached. */
export function introduction(client: Client): string {
  const { server, revision } = client;
  return server === undefined ? revision : `${revision}, ${server.name} ${server.version}`;
}
