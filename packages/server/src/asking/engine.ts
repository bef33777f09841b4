export { AesSealer } from './aes-sealer.js';
export { LiveAsker } from './asker.js';
export { elicitForm, elicitPage, requestRoots, requestSample } from './input-requests.js';
export { runLive } from './live.js';
export { runRounds } from './rounds.js';
