import { setImmediate } from 'node:timers/promises';
import type { Root } from '@tenon/mcp-client';
import {
  type AuditLog,
  type CatalogueChange,
  createHost,
  type GrantStore,
  type Host,
  HostError,
  type ServerSettings,
} from '@tenon/mcp-host';
import type { Model } from '@tenon/mcp-host/models';
import { hostSkills } from '@tenon/mcp-host/skills';
import { skills } from '@tenon/mcp-skills/client';
import { WorkbenchError } from '@tenon/mcp-workbench';
import { type CommandContext, clientInfo } from '../context.js';
import { Interrupted } from '../exit-codes.js';
import type { AllowRules } from './access/allow-rules.js';
import { askConsent } from './access/ask-consent.js';
import { ShownAudit } from './access/shown-audit.js';
import { inputFunctions } from './requests/input-functions.js';
import { Interrupts } from './screen/interrupts.js';
import { type LineReader, lineReader } from './screen/line-reader.js';
import { Screen } from './screen/screen.js';
import { shortLine } from './screen/shown-text.js';
import type { ChatParts } from './slash/slash-command.js';
import { runSlashCommand, slashCommands } from './slash/slash-commands.js';
import { Conversation, interruptible, stateTexts } from './turn/conversation.js';
import { ToolRuns } from './turn/tool-runs.js';

/** The parts of a conversation. */
interface ChatOptions extends Pick<CommandContext, 'terminal' | 'signal'> {
  readonly servers: Readonly<Record<string, ServerSettings>>;
  /** The addresses of servers, by name. */
  readonly places: ReadonlyMap<string, string>;
  readonly model: Model;
  readonly rules: AllowRules;
  readonly grants: GrantStore;
  readonly audit?: AuditLog;
  readonly roots: Root[];
  /** Lines for the user at the start. */
  readonly welcome: readonly string[];
}

/** Holds a conversation until the user ends it. @throws Interrupted if Ctrl+C ended it. */
export async function chat(options: ChatOptions): Promise<void> {
  const { terminal, signal, model, rules, grants, roots } = options;
  const interrupts = new Interrupts(terminal.source.input);
  const screen = new Screen(terminal, () => interrupts.resume());
  const runs = new ToolRuns(() => host, screen);
  const audit = new ShownAudit(options.audit, (record) => runs.showSent(record));
  const host: Host = createHost({
    info: clientInfo(),
    servers: options.servers,
    policy: rules.policy,
    consent: askConsent(screen, ({ request }, { isSeen }) => {
      if (isSeen) runs.markShown(request.origin.callId);
    }),
    ...{ grants, audit, roots, extensions: [skills()] },
    ...inputFunctions(screen, model),
    onError: (error, where) => screen.note(terminal.paintError('dim', `${where}: ${messageOf(error)}`)),
  });
  const conversation = new Conversation({ host, model, screen, runs, interrupts, signal });
  const parts = {
    host,
    skills: hostSkills(host),
    screen,
    conversation,
    runs,
    rules,
    audit,
    roots,
    places: options.places,
  };
  const reader = lineReader(
    terminal,
    slashCommands.map(({ name }) => name),
  );
  try {
    showTitle(options, screen);
    await interruptible({ interrupts, signal }, { ...nothingElse, work: (stop) => start(parts, stop) });
    await converseUntilEnd(parts, { reader, interrupts, signal });
  } finally {
    reader.close();
    await host.close();
  }
}

const nothingElse = { onCancel: () => undefined, ended: async () => undefined };

function showTitle({ model, welcome }: ChatOptions, { terminal }: Screen): void {
  const { paintError } = terminal;
  terminal.note(`${paintError(['bold', 'cyan'], 'tenon chat')}  ${paintError('dim', `model ${model.name}`)}`);
  for (const line of welcome) terminal.note(line);
  if (welcome.length > 0) terminal.note('');
}

/** Starts all servers, and shows how they stand; later changes are shown as they happen. */
async function start({ host, screen, places }: ChatParts, signal: AbortSignal): Promise<void> {
  screen.status('Starting the servers ...');
  await host.servers.start({ signal });
  await host.tools({ signal });
  screen.note(stateTexts(host.servers.list(), screen, places).join('\n'));
  if (screen.terminal.isInteractive)
    screen.note(
      screen.terminal.paintError('dim', '\nWrite a message, or /help. Ctrl+C cancels, Ctrl+D ends.\n'),
    );
  host.servers.onStateChange((state) => {
    if (state.status === 'failed' || state.status === 'needs-sign-in')
      screen.note(stateTexts([state], screen).join(''));
  });
  host.servers.onChanged((change) => screen.note(screen.terminal.paintError('magenta', changeText(change))));
}

function changeText({ added, removed, changed }: CatalogueChange): string {
  const parts = Object.entries({ added, changed, removed }).flatMap(([word, names]) =>
    names.length === 0 ? [] : [`${word}: ${shortLine(names.join(', '), 200)}`],
  );
  return `The tools of the model have changed. ${parts.join('; ')}`;
}

interface Inputs {
  readonly reader: LineReader;
  readonly interrupts: Interrupts;
  readonly signal: AbortSignal;
}

async function converseUntilEnd(parts: ChatParts, { reader, interrupts, signal }: Inputs): Promise<void> {
  const { conversation, screen } = parts;
  let wasInterrupted = false;
  for (;;) {
    signal.throwIfAborted();
    const input = await screen.ask(
      () => reader.next(signal),
      signal,
      (print) => reader.aside(print),
    );
    if (input === 'end') return;
    if (input === 'interrupt') {
      if (wasInterrupted) throw new Interrupted();
      wasInterrupted = true;
      screen.note('Press Ctrl+C again to end.');
      continue;
    }
    wasInterrupted = false;
    const text = input.text.trim();
    if (text === '') continue;
    if (!text.startsWith('/')) wasInterrupted = await conversation.turn(text);
    else if ((await commanded(text, parts, { interrupts, signal })) === 'quit') return;
    // Notifications that arrived with the last answer are shown before the next line is read.
    await setImmediate();
  }
}

/** Runs a command; its errors are shown. */
async function commanded(
  text: string,
  parts: ChatParts,
  inputs: Omit<Inputs, 'reader'>,
): Promise<'quit' | undefined> {
  let answer: 'quit' | undefined;
  await interruptible(inputs, {
    ...nothingElse,
    async work(stop) {
      try {
        answer = await runSlashCommand(text, parts, stop);
      } catch (error) {
        if (
          !(
            error instanceof WorkbenchError ||
            error instanceof HostError ||
            stop.aborted ||
            isSignInFailure(error)
          )
        )
          throw error;
        parts.screen.noteText(messageOf(error));
      }
      if (parts.screen.terminal.isInteractive && answer !== 'quit') parts.screen.note('');
    },
  });
  return answer;
}

function isSignInFailure(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AuthError' || error.name === 'TransportError');
}

function messageOf(error: unknown): string {
  return shortLine(error instanceof Error ? error.message : String(error), 500);
}
