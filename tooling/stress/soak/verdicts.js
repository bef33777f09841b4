import {
  complaintVerdict,
  faultVerdict,
  handledVerdicts,
  heapBound,
  mebibytes,
  verdict,
} from '../storm/verdicts.js';
import { grown } from './soaking.js';

/** @typedef {import('./soaking.js').Findings} Findings */
/** @typedef {import('../storm/verdicts.js').Verdict} Verdict */

/**
 * Returns the verdicts on a soak.
 *
 * @param {Findings} findings
 * @returns {Verdict[]}
 */
export function verdictsOf(findings) {
  const { ledger, found } = findings;
  const noFaults = (
    /** @type {string} */ claim,
    /** @type {import('../storm/ledger.js').Fault[]} */ ...names
  ) => faultVerdict(claim, ledger.faults, names);
  return [
    noFaults(
      'no answer is lost: every call ends with its right answer or a typed error',
      'wrong answer',
      'untyped error',
      'no end',
    ),
    noFaults('every call on an unbroken path gets its right answer', 'unexplained error'),
    noFaults('no answer is doubled', 'answered twice on the wire', 'event twice on the wire'),
    ...handledVerdicts(findings),
    noFaults('progress and logs have no holes', 'hole in progress', 'hole in logs'),
    noFaults(
      'no caller gets data of another caller',
      'input request of another call',
      'answer of another user',
    ),
    noFaults(
      'every caller is connected again after the storm',
      'not alive after the storm',
      'closing failed',
    ),
    troubled(findings),
    complaintVerdict('no rejection goes unhandled', found.unhandled),
    complaintVerdict('no error without a family is reported', found.untyped),
    ...leftVerdicts(findings),
  ];
}

/**
 * A soak without faults proves little.
 *
 * @param {Findings} findings
 */
function troubled({ messageFaults, proxy, ledger }) {
  const broken = Object.values(proxy.faults).reduce((sum, count) => sum + count, 0);
  const replaced = ledger.events['connections replaced'] ?? 0;
  return verdict(
    'messages were lost, connections broken and replaced',
    messageFaults > 0 && broken > 0 && replaced > 0,
    `${messageFaults} faults, ${broken} broken connections, ${replaced} replaced`,
  );
}

/**
 * @param {Findings} findings
 * @returns {Verdict[]}
 */
function leftVerdicts({ before, after, endpoints }) {
  const handles = grown(before.resources, after.resources);
  const more = Object.entries(handles).map(([kind, count]) => `${count} ${kind}`);
  const growth = ((after.heap / before.heap - 1) * 100).toFixed(1);
  return [
    verdict('no conversation outlives its client', endpoints === 0, `${endpoints} do`),
    verdict(
      'no timer is left',
      after.timers.length === 0,
      `${after.timers.length}: ${after.timers.slice(0, 5).join(', ')} ms`,
    ),
    verdict(
      'no socket, process or other handle is left',
      more.length === 0 && after.sockets === 0,
      more.join(', '),
    ),
    {
      claim: `the heap grows by no more than ${heapBound * 100} %`,
      holds: after.heap <= before.heap * (1 + heapBound),
      found: `${mebibytes(before.heap)} before, ${mebibytes(after.heap)} after (${growth} %)`,
    },
  ];
}
