import { type OptionRule, optionRules, requireOptions, wholeNumber, withDefaults } from '@tenon/foundation';

/** Limits of {@link tasks}. */
export interface TaskLimits {
  /**
   * Tasks of one caller that are kept at the same time: of a principal, or without one of an address, in all of its sessions. Raise it
   * if one caller needs more than 1,000 results within their `ttl`; lower it if callers fill the state.
   */
  readonly perCaller: number;
  /**
   * Tasks of all callers that one process runs at the same time; 1,000 by default. One caller can run a quarter of them. Lower it if
   * handlers need much memory or processor time.
   */
  readonly running: number;
}

/** The tasks of clients that input requests of handlers run as. */
export interface InputTasks {
  /** Milliseconds for which the client shall keep such a task after its creation. Default: the client decides. */
  readonly ttl?: number;
}

/** Options of {@link tasks}. All times are in milliseconds. */
export interface TasksOptions {
  /** Time for which a task is kept after its creation, unless its tool or its client says otherwise. Default: 1 hour. */
  readonly ttl?: number;
  /** The longest time for which a task is kept. Default: 24 hours. */
  readonly maxTtl?: number;
  /** Time that clients shall wait between two requests for a task, unless its tool says otherwise. Default: 1 second. */
  readonly pollInterval?: number;
  /**
   * Time after which a call becomes a task, in revisions in which the server decides. Default: 1 second for `task: 'allow'`, and 0
   * for `task: 'always'`.
   */
  readonly promoteAfter?: number;
  /**
   * True, or an object with settings, to send elicitation and sampling requests of handlers as tasks to clients that run them as tasks,
   * in 2025-11-25. Handlers wait for the answer as usual. Default: false.
   */
  readonly inputAsTasks?: boolean | InputTasks;
  readonly limits?: Partial<TaskLimits>;
  /** Returns the milliseconds since 1970, for tests. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * `never`: calls of the tool are not tasks. `allow`: calls can become tasks, for clients that have them. `always`: calls are tasks,
 * and are rejected for clients without tasks in revisions that have them.
 */
export type TaskSupport = 'never' | 'allow' | 'always';

/** The tasks of one tool. All times are in milliseconds; each replaces the option of {@link tasks}. */
export interface ToolTasks {
  readonly support: TaskSupport;
  readonly ttl?: number;
  readonly pollInterval?: number;
  readonly promoteAfter?: number;
  /**
   * Keys of input requests that the handler makes before all other work. In revisions in which the server decides, the call requests
   * this input in rounds, as without tasks, and becomes a task afterwards.
   */
  readonly inputFirst?: readonly string[];
  /**
   * True if another process may run the handler again when the process that runs it ends. Steps in `ctx.once` that have ended do not
   * run again. False: the task fails. Default: true.
   */
  readonly takeOver?: boolean;
  /** A text for the model while the task runs, in revisions that have one. */
  readonly immediate?: string;
}

/** The option that the extension adds to `server.tool`. */
export interface TaskToolOptions {
  /** The calls of the tool that can be tasks. Default: `never`. */
  readonly task?: TaskSupport | ToolTasks;
}

const defaultTaskLimits: TaskLimits = { perCaller: 1_000, running: 1_000 };

const taskBounds = {
  /** Bytes of one task in the state: its arguments, `once` steps, input requests, answers and result. A task that needs more fails. */
  recordSize: 1_048_576,
  /** Characters of a status message. Longer ones are cut. */
  statusMessage: 1_000,
  /** Tasks that one listen stream may name, and tasks with a listener in one process. */
  listened: 1_000,
};

/** For a tool that allows tasks. */
const defaultTimes = { promoteAfter: 1_000 };

/** The options of the extension, with their defaults. */
export interface TaskSettings {
  readonly ttl: number;
  readonly maxTtl: number;
  readonly pollInterval: number;
  /** Undefined: the default of the support. */
  readonly promoteAfter: number | undefined;
  /** Undefined: input requests are sent without tasks. */
  readonly inputAsTasks: InputTasks | undefined;
  readonly limits: TaskLimits & typeof taskBounds;
  readonly now: () => number;
}

/** The tasks of one tool, with their defaults. */
export interface ToolSettings {
  readonly support: TaskSupport;
  readonly ttl: number;
  readonly pollInterval: number;
  readonly promoteAfter: number;
  readonly inputFirst: readonly string[];
  readonly takeOver: boolean;
  readonly immediate: string | undefined;
}

/** @throws TypeError or RangeError if an option is misspelt or invalid. */
export function taskSettings(options: TasksOptions): TaskSettings {
  const { callable, flag, object, notNegative } = optionRules;
  requireOptions('tasks', options, {
    ttl: wholeTime,
    maxTtl: wholeTime,
    pollInterval: wholeTime,
    promoteAfter: notNegative,
    inputAsTasks: {
      is: 'true, false, or an object with a ttl',
      allows: (value) => flag.allows(value) || object.allows(value),
    },
    limits: object,
    now: callable,
  });
  const { limits = {}, promoteAfter, inputAsTasks = false, now = Date.now } = options;
  const inputTasks = inputAsTasks === true ? {} : inputAsTasks;
  if (inputTasks !== false) requireOptions('tasks: inputAsTasks', inputTasks, { ttl: wholeTime });
  requireOptions('tasks: limits', limits, { perCaller: wholeNumber(1), running: wholeNumber(1) });
  const { ttl = 3_600_000, maxTtl = 86_400_000, pollInterval = 1_000 } = options;
  if (ttl > maxTtl)
    throw new RangeError(
      `tasks: ttl is ${ttl} ms, which is longer than maxTtl (${maxTtl} ms): raise maxTtl.`,
    );
  return {
    ttl,
    maxTtl,
    pollInterval,
    promoteAfter,
    inputAsTasks: inputTasks === false ? undefined : inputTasks,
    limits: withDefaults(defaultTaskLimits, limits, taskBounds),
    now,
  };
}

/** Returns the settings of a tool from the value of its option, which was checked when the tool was registered. */
export function toolSettings(given: TaskToolOptions['task'], settings: TaskSettings): ToolSettings {
  const option: ToolTasks = typeof given === 'object' ? given : { support: given ?? 'never' };
  const { support, inputFirst = [], takeOver = true, immediate } = option;
  const { ttl = settings.ttl, pollInterval = settings.pollInterval } = option;
  const byDefault = support === 'always' ? 0 : defaultTimes.promoteAfter;
  return {
    support,
    ttl: Math.min(ttl, settings.maxTtl),
    pollInterval,
    promoteAfter: option.promoteAfter ?? settings.promoteAfter ?? byDefault,
    inputFirst,
    takeOver,
    immediate,
  };
}

/** Returns the problem of the option of a tool, to follow its name in a sentence; undefined accepts the value. */
export function toolTasksProblem(value: unknown): string | undefined {
  if (supports.has(value)) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return "must be 'never', 'allow' or 'always', or an object with one of them as its support";
  const rules: { readonly [Name in keyof Required<ToolTasks>]: OptionRule } = {
    support: { is: "'never', 'allow' or 'always'", allows: (support) => supports.has(support) },
    ttl: wholeTime,
    pollInterval: wholeTime,
    promoteAfter: optionRules.notNegative,
    inputFirst: optionRules.texts,
    takeOver: optionRules.flag,
    immediate: optionRules.text,
  };
  for (const [name, given] of Object.entries(value)) {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof ToolTasks] : undefined;
    if (rule === undefined) return `has no member "${name}": there are ${Object.keys(rules).join(', ')}`;
    if (given !== undefined && !rule.allows(given)) return `has a ${name} that must be ${rule.is}`;
  }
  return 'support' in value ? undefined : "must have a support: 'never', 'allow' or 'always'";
}

const supports: ReadonlySet<unknown> = new Set<TaskSupport>(['never', 'allow', 'always']);
const wholeTime: OptionRule = { ...wholeNumber(1), is: 'a whole number of milliseconds, 1 or more' };
