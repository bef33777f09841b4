export { type MemoryPairOptions, memoryPair } from './memory-pair.js';
