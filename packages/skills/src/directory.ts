export { type DirectoryOptions, defaultDirectoryLimits, directory } from './directory/directory-source.js';
