export { printableJson, printableText } from './texts/printable.js';
