import { generateKeyPairSync, sign } from 'node:crypto';

/** A key and a certificate, as `node:https` accepts them. */
export interface Identity {
  readonly key: string;
  readonly cert: string;
}

/** Makes a self-signed certificate for a name. The dates default to today and a year from now. */
export function certificateFor(name: string, { from = 0, days = 365 } = {}): Identity {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('2a8648ce3d040302'));
  const owner = sequence(tagged(0x31, sequence(oid('550403'), tagged(0x0c, Buffer.from(name)))));
  const start = Date.now() + (from - 1) * day;
  const subjectNames = sequence(tagged(0x82, Buffer.from(name)));
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([1])),
    algorithm,
    owner,
    sequence(date(start), date(start + (days + 1) * day)),
    owner,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(sequence(oid('551d11'), tagged(0x04, subjectNames)))),
  );
  const signature = sign('sha256', body, privateKey);
  const whole = sequence(body, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

const day = 86_400_000;

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content]);
  const size = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'));
}

function date(time: number): Buffer {
  const text = new Date(time).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return tagged(0x18, Buffer.from(text));
}
