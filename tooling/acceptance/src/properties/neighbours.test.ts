import { everyRevision, settled } from '@tenon/mcp-testing';
import fc from 'fast-check';
import { expect } from 'vitest';
import { holds } from './cases.js';
import { type Act, Neighbour } from './neighbour.js';
import { sharedServer } from './shared-server.js';

const anyAct = fc.constantFrom<Act>(
  'work',
  'hold',
  'release',
  'ask',
  'open',
  'look',
  'steal',
  'write',
  'watch',
  'list',
  'read',
  'cancel',
);
const anyTurn = fc.record({ who: fc.boolean(), act: anyAct, waits: fc.boolean() });
const anyRevision = fc.constantFrom(...everyRevision);

holds(
  'two clients of one server, in any two revisions, never observe each other',
  300,
  fc.asyncProperty(
    anyRevision,
    anyRevision,
    fc.array(anyTurn, { maxLength: 40, size: 'max' }),
    async (hers, his, turns) => {
      const server = sharedServer();
      const [olga, bob] = [new Neighbour('olga'), new Neighbour('bob')];
      await Promise.all([olga.join(server, hers), bob.join(server, his)]);
      for (const { who, act, waits } of turns) {
        if (who) olga.act(act, bob);
        else bob.act(act, olga);
        if (waits) await settled();
      }
      olga.act('release', bob);
      await settled();
      bob.act('release', olga);
      await Promise.all([olga.leave(), bob.leave()]);
      await server.close();
      expect([...olga.faults, ...bob.faults]).toEqual([]);
    },
  ),
);
