export { replayStoreOn } from '@tenon/mcp-state/internal';
export { elicitForm, elicitPage, requestRoots, requestSample } from '../input/input-requests.js';
export { liveInput, runLive } from './live-input.js';
export { roundOf, runRounds } from './rounds.js';
export { AesSealer } from '../sealing/aes-sealer.js';
