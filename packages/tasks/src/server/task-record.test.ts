import type { CallToolResult } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { isTerminal, type TaskStatus } from '../model/task.js';
import {
  cancelled,
  completed,
  failed,
  newRecord,
  type TaskRecord,
  type Transition,
  withAnswers,
  withMessage,
  withRequest,
  withStep,
} from './task-record.js';

const call = {
  tool: 'work',
  params: {},
  revision: 'any',
  client: { capabilities: {} },
} as unknown as NonNullable<TaskRecord['call']>;
const beginning = {
  taskId: 'abcdefghijklmnopqrstuv',
  created: 1_000,
  ttl: 60_000,
  pollInterval: 1_000,
  inCore: false,
  takeOver: true,
  call,
};
const form = { method: 'elicitation/create', params: { mode: 'form', message: 'Name?' } } as never;
const accepted = { result: { action: 'accept' } } as const;
const result: CallToolResult = { content: [{ type: 'text', text: 'done' }] };

/** Returns numbers from 0 up to 1 that repeat for the same seed. */
function generator(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const run = (...transitions: Transition[]) =>
  transitions.reduce((record, transition) => transition(record), newRecord(beginning));

describe('a task', () => {
  it('requires input while an input request is open', () => {
    shows('2025-11-25-tasks/tasks/input-required', '2025-11-25-tasks/tasks/input-complete');
    const asked = run(withRequest('a', form), withRequest('b', form));
    expect(asked).toMatchObject({ status: 'input_required', open: { a: form, b: form } });
    const half = withAnswers({ a: accepted })(asked);
    expect(half).toMatchObject({ status: 'input_required', open: { b: form }, answers: { a: accepted } });
    expect(half.open).not.toHaveProperty('a');
    expect(withAnswers({ b: accepted })(half)).toMatchObject({ status: 'working', open: {} });
  });

  it('ignores answers to keys that are not open', () => {
    shows('ext-tasks/tasks/update-ignored');
    const asked = run(withRequest('a', form));
    expect(withAnswers({ b: accepted, __proto__: accepted })(asked)).toBe(asked);
    const answered = withAnswers({ a: accepted })(asked);
    expect(withAnswers({ a: { result: { action: 'decline' } } })(answered)).toBe(answered);
  });

  it('does not open a key again that was answered', () => {
    shows('ext-tasks/tasks/key-unique', 'ext-tasks/tasks/key-not-reused');
    const answered = run(withRequest('a', form), withAnswers({ a: accepted }));
    expect(withRequest('a', form)(answered)).toBe(answered);
  });

  it('keeps the first value of a step', () => {
    const kept = run(withStep('a', 1));
    expect(withStep('a', 2)(kept)).toBe(kept);
    expect(kept.steps).toEqual({ a: { value: 1 } });
  });

  it('has keys with the names of members of objects', () => {
    const asked = run(withRequest('__proto__', form), withRequest('constructor', form));
    const read = JSON.parse(JSON.stringify(asked)) as TaskRecord;
    const answered = withAnswers(JSON.parse('{"__proto__":{"result":{"action":"accept"}}}'))(read);
    expect(Object.keys(answered.open)).toEqual(['constructor']);
    expect(Object.keys(answered.answers)).toEqual(['__proto__']);
  });

  it('drops the arguments, the answers and the progress when it ends', () => {
    const ended = run(
      withMessage('3 of 4'),
      withStep('s', 1),
      withRequest('a', form),
      withAnswers({ a: accepted }),
      completed(result, undefined),
    );
    expect(ended).not.toHaveProperty('call');
    expect(ended).not.toHaveProperty('statusMessage');
    expect(ended).toMatchObject({ status: 'completed', result, open: {}, answers: {}, steps: {} });
  });

  it('takes only the transitions of the specification, and none from a terminal status (300 cases)', () => {
    shows(
      '2025-11-25-tasks/tasks/transitions',
      '2025-11-25-tasks/tasks/terminal-final',
      'ext-tasks/tasks/key-unique',
      'ext-tasks/tasks/key-not-reused',
    );
    const allowed: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
      working: ['working', 'input_required', 'completed', 'failed', 'cancelled'],
      input_required: ['working', 'input_required', 'completed', 'failed', 'cancelled'],
      completed: [],
      failed: [],
      cancelled: [],
    };
    for (let seed = 0; seed < 300; seed++) {
      const random = generator(seed);
      const pick = <T>(...all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
      const key = () => pick('a', 'b', 'c');
      let record = newRecord(beginning);
      const answeredOnce = new Set<string>();
      for (let step = 0; step < 20; step++) {
        const transition = pick<() => Transition>(
          () => withMessage(key()),
          () => withRequest(key(), form),
          () => withRequest(key(), form),
          () => withAnswers({ [key()]: accepted, [key()]: accepted }),
          () => withStep(key(), step),
          () => (step < 10 ? withMessage('') : completed(result, undefined)),
          () => (step < 10 ? withMessage('') : failed({ code: -32603, message: 'no' }, 'no')),
          () => (step < 10 ? withMessage('') : cancelled('no')),
        )();
        const next = transition(record);
        const where = `seed ${seed}, step ${step}: ${record.status} to ${next.status}`;
        if (isTerminal(record.status)) expect(next, where).toBe(record);
        else if (next !== record) expect(allowed[record.status], where).toContain(next.status);
        for (const open of Object.keys(next.open)) expect(answeredOnce.has(open), where).toBe(false);
        for (const answered of Object.keys(next.answers)) answeredOnce.add(answered);
        expect(Object.keys(next.open).length > 0, where).toBe(next.status === 'input_required');
        record = next;
      }
    }
  });
});
