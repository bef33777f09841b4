export { replayStoreOn } from '@tenon/mcp-state/internal';
export { elicitForm, elicitPage, requestRoots, requestSample } from './input-requests.js';
export { liveInput, runLive } from './live-input.js';
export { roundOf, runRounds } from './replay/rounds.js';
export { AesSealer } from './state/aes-sealer.js';
