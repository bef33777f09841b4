import type { Clock } from '@tenon/foundation';
import type { State } from '@tenon/mcp-state';
import { joinProcesses } from '@tenon/mcp-state/adapter';
import { SharedMemory } from '@tenon/mcp-state/internal';
import { onTestFinished } from 'vitest';
import { settled } from '../../testing/src/fake-clock.js';
import type { HttpOptions } from '../src/server/http-options.js';
import { FakeApplication } from './fake-application.js';
import { FakeService } from './fake-service.js';

/** Processes that share state in memory. */
export class FakeProcesses {
  readonly memory: SharedMemory;
  readonly state: State;

  /** @param clock - the clock of times to live. Default: the real time. */
  constructor(clock?: Pick<Clock, 'now'>) {
    this.memory = new SharedMemory({ clock });
    this.state = this.memory.open();
  }

  /** Starts one more process. */
  async process(
    options: HttpOptions = {},
    application: FakeApplication = new FakeApplication(),
    state: State = this.memory.open(),
  ): Promise<FakeProcess> {
    const { clock, onError } = application;
    const processes = joinProcesses(state, { clock, onError });
    onTestFinished(() => processes.close());
    application.processes = processes;
    await processes.joined;
    return new FakeProcess(options, application);
  }

  /** Replaces the record of a session. */
  async write(session: Readonly<Record<string, string>>, record: unknown): Promise<void> {
    await this.state.kv.put(`session/${session['mcp-session-id']}/record`, JSON.stringify(record));
  }

  /** Returns the record of a session; undefined if it has ended. */
  async record(session: Readonly<Record<string, string>>): Promise<Record<string, unknown> | undefined> {
    const found = await this.state.kv.get(`session/${session['mcp-session-id']}/record`);
    return found && JSON.parse(found.value);
  }
}

/** A process with a fake application. */
export class FakeProcess extends FakeService {
  get id(): string {
    return this.application.processes?.id ?? '';
  }

  /** Ends the process without a word to clients or other processes. */
  async kill(): Promise<void> {
    await this.application.processes?.close();
    await settled();
  }
}
