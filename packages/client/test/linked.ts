import type { Client } from '../src/client.js';
import { connect } from '../src/connect.js';
import { memoryTarget } from '../src/memory.js';
import type { ClientOptions } from '../src/options.js';
import type { ScriptedServer } from './scripted-server.js';

const info = { name: 'client', version: '1' };

/** Connects to a scripted server that may be connected to again. */
export function linked(server: ScriptedServer, options: Partial<ClientOptions> = {}): Promise<Client> {
  return connect({ open: () => memoryTarget(server).open(), restartable: true }, { info, ...options });
}
