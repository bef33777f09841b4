// Servers that are broken in one way each: `node broken-server.js exits|noise|garbage|silent`.
import process from 'node:process';

const [way] = process.argv.slice(2);
switch (way) {
  case 'exits':
    console.error('Error: DATABASE_URL is not set');
    process.exit(3);
    break;
  case 'noise':
    console.log('Server started on stdio!');
    process.stdin.on('data', () => console.log('debug: a message came'));
    break;
  case 'garbage':
    process.stdin.on('data', () => process.stdout.write('{"jsonrpc":"2.0","id":[],"result":}\n'));
    break;
  case 'silent':
    process.stdin.resume();
    break;
  default:
    throw new Error(`There is no way "${way}".`);
}
