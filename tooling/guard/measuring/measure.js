import { bareHttpServer } from '../peers/bare-http-server.js';
import { HttpDriver } from '../peers/http-driver.js';
import { StdioDriver } from '../peers/stdio-driver.js';
import { batches } from '../runs/runs.js';
import { wireOf } from '../runs/wire.js';
import { SubjectProcess } from './subject-process.js';

/**
 * @typedef {import('../runs/runs.js').Run} Run
 * @typedef {{ preload?: string | undefined }} MeasureOptions
 * @typedef {{ open?: () => Promise<void>, run: (count: number) => Promise<unknown>, close?: () => void }} Driver
 */

/** Batches before the measured ones: they compile code, open connections and grow buffers. */
const warmUps = 2;

/**
 * Measures a run in two processes of its own: one counts calls, the other bytes.
 *
 * @param {Run} run
 * @param {MeasureOptions} [options]
 */
export async function measure(run, options = {}) {
  const calls = await measureIn(run, { mode: 'calls', ...options });
  const bytes = await measureIn(run, { mode: 'bytes', ...options });
  return { calls, bytes };
}

/**
 * @param {Run} run
 * @param {{ mode: 'calls' | 'bytes' } & MeasureOptions} options
 * @returns {Promise<any>}
 */
export async function measureIn(run, options) {
  const server = run.subject === 'http-client' ? await bareHttpServer() : undefined;
  const subject = new SubjectProcess(run, { ...options, ...(server && { url: server.url }) });
  try {
    const driver = driverOf(run, { subject, url: await subject.next() });
    await driver.open?.();
    for (let n = 0; n < warmUps; n++) await driver.run(run.requests);
    await subject.order('begin');
    for (let n = 0; n < batches; n++) {
      await driver.run(run.requests);
      await subject.order('take');
    }
    await subject.order('watch');
    await driver.run(run.requests);
    const report = await subject.order('report');
    driver.close?.();
    return report;
  } finally {
    subject.close();
    server?.close();
  }
}

/**
 * @param {Run} run
 * @param {{ subject: SubjectProcess, url: string }} reached
 * @returns {Driver}
 */
function driverOf(run, { subject, url }) {
  if (run.subject === 'http-server') return new HttpDriver(url, wireOf(run));
  if (run.subject === 'stdio-server') return new StdioDriver(subject.pipes, wireOf(run));
  return { run: (count) => subject.order('call', count) };
}
