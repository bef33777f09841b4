import type { CallHistory, Tool, UnknownObject } from '@tenon/mcp-protocol';
import type { IncomingRequest } from '@tenon/mcp-session';
import type { Context } from '../context/context.js';
import type { StepJournal } from '../run/once-steps.js';

/** Runs a tool's handler; its failures are results. */
export type ToolRun = (ctx: Context, of: 'request' | 'detached') => Promise<UnknownObject>;

/** A call with a tool that its caller may use. */
export interface CheckedCall {
  readonly name: string;
  /** Runs the handler, or returns the result for arguments that do not match. */
  readonly run: ToolRun;
}

/** Checks calls that no client sent. */
export interface CallChecker {
  /**
   * Finds the tool of a call and checks it like a call that was received, without counting it.
   * @throws RpcError if the caller does not see the tool or lacks a scope.
   */
  check(request: IncomingRequest): Promise<CheckedCall>;
}

/** One tool call that extensions may intercept. */
export interface Interceptable {
  readonly name: string;
  readonly input: unknown;
  readonly request: IncomingRequest;
  readonly history: CallHistory | undefined;
  /** Values of the options of extensions, by name. */
  readonly options: Readonly<UnknownObject>;
  readonly run: ToolRun;
}

/** Runs a tool call through the extensions that intercept, the first outermost. */
export type Intercept = (call: Interceptable, ctx: Context) => Promise<UnknownObject>;

/** A call with valid arguments, before a run of its handler. */
export interface RunnableCall {
  readonly tool: Tool;
  readonly request: IncomingRequest;
}

/** Runs a call, with the values of steps that its attempts share. */
export type RunCall = (steps?: StepJournal) => UnknownObject | Promise<UnknownObject>;

/** Runs a call through the extensions that intercept runs, the first outermost. */
export type InterceptRun = (call: RunnableCall, run: RunCall) => UnknownObject | Promise<UnknownObject>;
