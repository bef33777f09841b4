// The other processes in the tests of auditFile: each appends records until it is killed, and prints the ids that were written.
import process from 'node:process';
import { auditFile } from '../src/files/audit-file.js';
import { recordOf } from './audit-records.js';

const [path = '', name = '', most = '0'] = process.argv.slice(2);
const log = auditFile(path, { bytes: 65_536 });

async function append(id: string): Promise<void> {
  await log.append(recordOf(id, 'done', { input: { text: 'x'.repeat(500) } }));
  console.log(id);
}

console.log('ready');
for (let at = 0; at < Number(most); at += 4)
  await Promise.all([0, 1, 2, 3].map((more) => append(`${name}-${at + more}`)));
await log.close();
console.log('done');
