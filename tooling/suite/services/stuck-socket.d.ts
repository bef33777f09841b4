// For tests in TypeScript: their tsconfig does not include this folder.
import type { Server } from 'node:http';
import { Duplex } from 'node:stream';

export declare class StuckSocket extends Duplex {
  readonly remoteAddress: string;
  text: string;
  constructor(server: Server, remoteAddress?: string);
  says(text: string): Promise<void>;
  reads(bytes?: number): Promise<void>;
  get statuses(): number[];
  get held(): number;
}
export declare function turns(): Promise<void>;
