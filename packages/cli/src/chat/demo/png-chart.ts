import { crc32, deflateSync } from 'node:zlib';

const size = { bar: 24, gap: 8, height: 96 } as const;

/** Returns a PNG with a bar for each number. */
export function pngChart(values: readonly number[]): Uint8Array {
  const width = values.length * (size.bar + size.gap) + size.gap;
  const most = Math.max(1, ...values);
  const rows = Array.from({ length: size.height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 3, 255);
    // Each row begins with its filter: none.
    row[0] = 0;
    for (const [index, value] of values.entries()) {
      const top = size.height - Math.round((Math.max(0, value) / most) * (size.height - size.gap));
      if (y < top) continue;
      const left = size.gap + index * (size.bar + size.gap);
      for (let x = left; x < left + size.bar; x++) row.set([40, 120, 200], 1 + x * 3);
    }
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(size.height, 4);
  // 8 bits of red, green and blue for each pixel.
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
