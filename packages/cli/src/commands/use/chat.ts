import { join, resolve } from 'node:path';
import { type AuditLog, type GrantStore, memoryGrants } from '@tenon/mcp-host';
import { AllowRules } from '../../chat/access/allow-rules.js';
import { chat } from '../../chat/chat.js';
import { chosenModel, type ModelChoice } from '../../chat/model/chosen-model.js';
import { type ChosenServers, chosenServers, type ServerChoice } from '../../chat/sources/chosen-servers.js';
import type { CommandLine } from '../../context.js';
import { ownFolder } from '../../server/named-server.js';
import type { Terminal } from '../../terminal/terminal.js';

/** Options of `tenon chat`. */
interface ChatCommandOptions extends ServerChoice, ModelChoice {
  readonly allow?: readonly string[];
  readonly audit?: string;
}

type ChatLine = CommandLine<ChatCommandOptions>;

/** Holds a conversation with a model that has the tools of several servers. */
export async function runChat(line: ChatLine): Promise<void> {
  const { options, signal, terminal } = line;
  const model = chosenModel(options, terminal.source.env);
  const isDemo = options.demo === true && !namesServers(line);
  const { servers, startable, places } = isDemo ? await demo() : await chosenServers(line);
  const rules = new AllowRules(startable);
  for (const rule of options.allow ?? []) rules.add(rule);
  const grants = isDemo ? memoryGrants() : await lastingGrants(terminal);
  const audit = await auditLog(options, terminal);
  const { demoWelcome } = isDemo ? await import('../../chat/demo/demo-servers.js') : { demoWelcome: [] };
  await chat({
    ...{ terminal, signal, servers, places, model, rules, grants, roots: [] },
    welcome: demoWelcome,
    ...(audit !== undefined && { audit }),
  });
}

function namesServers({ words, serverCommand, options }: ChatLine): boolean {
  return (
    words.length + serverCommand.length + (options.server ?? []).length > 0 || options.config !== undefined
  );
}

async function demo(): Promise<ChosenServers> {
  const { demoServers } = await import('../../chat/demo/demo-servers.js');
  return { servers: demoServers(), startable: new Set(), places: new Map() };
}

/** Returns the store of lasting answers, in a file that only the user can read. */
async function lastingGrants(terminal: Terminal): Promise<GrantStore> {
  const { fileGrants } = await import('@tenon/mcp-host/node');
  return fileGrants(join(ownFolder(terminal.source), 'chat-answers.json'));
}

async function auditLog({ audit }: ChatCommandOptions, { source }: Terminal): Promise<AuditLog | undefined> {
  if (audit === undefined) return undefined;
  const { auditFile } = await import('@tenon/mcp-host/node');
  return auditFile(resolve(source.cwd, audit));
}
