import { detach, negotiated, type UnknownObject } from '@tenon/mcp-protocol';
import type { IncomingRequest } from '@tenon/mcp-session';
import type { Definition } from '../definition.js';
import { addMethod } from '../features/custom-methods.js';
import { compiled, noticeParams } from '../features/custom-shapes.js';
import { describeIssues } from '../schemas/schema.js';
import type { EntryRegistrar, ExtensionHost, ReceivedNotice, ServerExtension } from './extension.js';
import { offeredIn, offeredMethod, undeclared } from './offered.js';

/** Connects the extensions of a server with it: their methods, notifications and entries, their start and their stop. */
export class ExtensionRun {
  readonly #definition: Definition;
  readonly #extensions: readonly ServerExtension[];
  #started = false;
  #stopped: Promise<void> | undefined;

  constructor(definition: Definition, extensions: readonly ServerExtension[]) {
    this.#definition = definition;
    this.#extensions = extensions;
    for (const extension of extensions) {
      for (const { method, handler, options } of extension.methods ?? []) {
        const admit = this.#admission(extension, method.name);
        addMethod(definition, offeredMethod(method, extension), { handler, options, admit });
      }
      for (const received of extension.notifications ?? []) this.#receive(extension, received);
    }
  }

  /** Registers the entries of all extensions. */
  register(server: EntryRegistrar): void {
    // Not the server itself: an extension contributes, and changes nothing else.
    const entries: EntryRegistrar = {
      tool: (...given) => server.tool(...given),
      resource: (...given) => server.resource(...given),
      prompt: (...given) => server.prompt(...given),
    };
    for (const extension of this.#extensions) extension.register?.(entries);
  }

  /** Starts all extensions, once. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    for (const extension of this.#extensions) {
      const started = async () => extension.start?.(this.#hostOf(extension));
      detach(started(), (error) => this.#report(error, extension));
    }
  }

  /** Stops all extensions that were started, once. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    if (!this.#started) return;
    await Promise.all(
      this.#extensions.map(async (extension) => {
        try {
          await extension.stop?.();
        } catch (error) {
          this.#report(error, extension);
        }
      }),
    );
  }

  #report(error: unknown, { id }: ServerExtension): void {
    this.#definition.onError(error, `extension ${id}`);
  }

  /** Refuses callers that did not declare the extension, before anything of the request is looked at. */
  #admission({ id, clientDeclares = true }: ServerExtension, method: string) {
    if (!clientDeclares) return undefined;
    const { extensions } = this.#definition;
    return ({ from, revision }: IncomingRequest) => {
      if (negotiated(id, extensions.in(revision), from.clientCapabilities.extensions) === undefined)
        throw undeclared(id, method);
    };
  }

  #receive(extension: ServerExtension, { notice, handler }: ReceivedNotice): void {
    const { notifications, spoken } = this.#definition;
    const { name } = notice;
    if (notifications.has(name)) throw new TypeError(`Notification "${name}" has a handler already.`);
    const offered = offeredIn(extension);
    spoken.addNotice(offered === undefined ? notice : { ...notice, in: offered }, 'client');
    const { params: shape } = compiled(this.#definition, notice);
    const received = async ({ _meta, ...params }: UnknownObject) => {
      const outcome = (await shape?.validate(params)) ?? { ok: true, value: params };
      if (!outcome.ok) throw new TypeError(`${name}: invalid params: ${describeIssues(outcome.issues)}`);
      await handler(outcome.value as UnknownObject);
    };
    notifications.set(name, (params) => detach(received(params), (error) => this.#report(error, extension)));
  }

  #hostOf({ id, clientDeclares = true }: ServerExtension): ExtensionHost {
    const { audience, clock, onError } = this.#definition;
    return {
      clock,
      onError,
      publish: async (notice, params, where) => {
        const sound = await noticeParams(this.#definition, notice, params);
        audience.publish({
          method: notice.name,
          params: sound,
          extension: clientDeclares ? id : undefined,
          where,
        });
      },
    };
  }
}
