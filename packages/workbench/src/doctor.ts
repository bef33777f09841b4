import process from 'node:process';
import type { Clock } from '@tenon/foundation';
import { redactThoroughly } from '@tenon/foundation/redaction/thorough';
import type { AuthProvider, Implementation } from '@tenon/mcp-client';
import { describeTarget, type ServerTarget } from './connections/server-target.js';
import { type DoctorStep, Examination } from './doctor/examination.js';
import type { FailureReason } from './failures/workbench-error.js';

export type { DoctorStep, StepStatus } from './doctor/examination.js';

/** Options of {@link diagnose}. */
export interface DiagnoseOptions {
  /** The client info. */
  readonly info: Implementation;
  /** Signs in at a server that requires it: with stored tokens, or with a browser. */
  readonly auth?: AuthProvider | undefined;
  /** An origin of pages in browsers, such as `https://app.example.com`: checks CORS for it. */
  readonly origin?: string | undefined;
  /** Uses this revision only. */
  readonly revision?: string | undefined;
  /** Milliseconds for one step; 10,000 by default. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when a step starts. */
  readonly onStart?: ((title: string) => void) | undefined;
  /** Called with each step that has ended. */
  readonly onStep?: ((step: DoctorStep) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/** The result of {@link diagnose}: JSON. */
export interface Diagnosis {
  readonly target: string;
  /** True if no step failed. */
  readonly ok: boolean;
  /** The reason of the first step that failed. */
  readonly reason?: FailureReason;
  readonly steps: readonly DoctorStep[];
}

const defaultTimeout = 10_000;

/**
 * Finds out why a server cannot be used, in ordered steps from its address, or its program, to its lists. Steps that need a failed
 * step are skipped. It calls no tool.
 * @throws the reason of the signal, and TypeError or RangeError if an option is invalid.
 */
export async function diagnose(target: ServerTarget, options: DiagnoseOptions): Promise<Diagnosis> {
  const { info, auth, origin, revision, clock, onStart, onStep } = options;
  const { timeout = defaultTimeout, signal = new AbortController().signal } = options;
  if (!(timeout > 0)) throw new RangeError('diagnose(): timeout must be a number above 0.');
  const examination = new Examination({ timeout, signal, clock, onStart, onStep });
  const contact = {
    ...{ info, timeout, signal },
    ...(revision !== undefined && { revision }),
    ...(clock !== undefined && { clock }),
  };
  if (target.kind === 'url') {
    const { examineUrl } = await import('./doctor/url/examine-url.js');
    await examineUrl(examination, target, { ...contact, auth, origin });
  } else {
    const { examineCommand } = await import('./doctor/command/examine-command.js');
    const system = {
      ...{ platform: process.platform, env: process.env, cwd: process.cwd(), node: process.versions.node },
    };
    await examineCommand(examination, target, { ...contact, system });
  }
  const { steps } = examination;
  const broken = steps.find(({ status }) => status === 'failed');
  return {
    target: named(target),
    ok: broken === undefined,
    ...(broken?.reason !== undefined && { reason: broken.reason }),
    steps,
  };
}

/** A broken URL has no description. */
function named(target: ServerTarget): string {
  return target.kind === 'url' && !URL.canParse(target.url)
    ? redactThoroughly(target.url)
    : describeTarget(target);
}
