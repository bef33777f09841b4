export { codeOf, FileError, type FileErrorOf, fileError } from './files/file-error.js';
export { LockFile, type LockOptions } from './files/lock-file.js';
export { PrivateFile, type PrivateFileOptions, syncFolder } from './files/private-file.js';
