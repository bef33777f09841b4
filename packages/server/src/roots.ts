export { type FileReaderOptions, fileReader } from './paths/file-reader.js';
export { insideRoots, type RootGuard } from './paths/root-guard.js';
export { isWithin, type PathRules } from './paths/wire-path.js';
