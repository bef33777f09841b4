import { describe, expect, it } from 'vitest';
import { ChildGate } from './child-gate.js';
import { type DevChild, StartError } from './dev-child.js';

const patient = { held: 256, holdTime: 1_000_000 };
const failure = new StartError({ message: 'server.ts:2: bad', stack: 'server.ts:2: bad' });
const child = {} as DevChild;

describe('the gate of a server in development', () => {
  it('holds messages while a server starts, and passes them on when it runs', async () => {
    const gate = new ChildGate(patient);
    const waiting = gate.wait();
    gate.open(child);
    expect(await waiting).toBe(child);
    expect(gate.wait()).toBe(child);
  });

  it('rejects at once while the last start has failed, those that wait included', async () => {
    const gate = new ChildGate(patient);
    const waiting = gate.wait();
    gate.fail(failure);
    for (const message of [waiting, gate.wait(), gate.wait()])
      await expect(message).rejects.toThrow('The server does not start: server.ts:2: bad');
  });

  it('holds messages again when the server is started after a failure', async () => {
    const gate = new ChildGate(patient);
    gate.fail(failure);
    gate.hold();
    const waiting = gate.wait();
    gate.open(child);
    expect(await waiting).toBe(child);
  });

  it('rejects at once with the reason when too many messages wait', async () => {
    const gate = new ChildGate({ ...patient, held: 1 });
    gate.hold(failure);
    const waiting = gate.wait();
    await expect(gate.wait()).rejects.toThrow('The server does not start: server.ts:2: bad');
    gate.close();
    await expect(waiting).rejects.toThrow('The development server was stopped.');
  });

  it('rejects with the reason when a message waits longer than holdTime', async () => {
    const gate = new ChildGate({ ...patient, holdTime: 1 });
    gate.hold(failure);
    await expect(gate.wait()).rejects.toThrow('The server does not start: server.ts:2: bad');
  });
});
