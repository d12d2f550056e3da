/** A part of an item that is no picture: in the file, or in the box of items itself. */
export interface Metadata {
  from: number;
  to: number;
  isInBox: boolean;
  isExif: boolean;
}

/** The types of items that decoders need: pictures, and how they are put together. */
const PICTURES = new Set(['av01', 'grid', 'iovl', 'iden', 'tmap']);
const MAX_PARTS = 10_000;

interface Box {
  type: string;
  /** Where its content begins and ends. */
  start: number;
  end: number;
}

/**
 * Returns where the metadata of an AVIF image is, by the content of its box `meta` (ISO/IEC 14496-12, 8.11). A box that is cut off has what can be
 * read of it.
 */
export function findMetadata(meta: Buffer): Metadata[] {
  const found: Metadata[] = [];
  // After the version and flags.
  const boxes = boxesIn(meta, 4, meta.length);
  const ofType = (type: string) => boxes.find((box) => box.type === type);
  const [infos, locations, data] = [ofType('iinf'), ofType('iloc'), ofType('idat')];
  if (!infos || !locations) return found;
  const types = itemTypes(meta, infos);
  for (const { id, method, from, to } of itemParts(meta, locations)) {
    const type = types.get(id);
    if (type === undefined || PICTURES.has(type)) continue;
    const isExif = type === 'Exif';
    if (method === 0) found.push({ from, to, isInBox: false, isExif });
    else if (method === 1 && data)
      found.push({ from: data.start + from, to: Math.min(data.start + to, data.end), isInBox: true, isExif });
  }
  return found;
}

function boxesIn(content: Buffer, start: number, end: number): Box[] {
  const boxes: Box[] = [];
  for (let at = start; at + 8 <= end; ) {
    const size = content.readUInt32BE(at);
    if (size < 8) break;
    boxes.push({
      type: content.toString('latin1', at + 4, at + 8),
      start: at + 8,
      end: Math.min(at + size, end),
    });
    at += size;
  }
  return boxes;
}

/** Returns the type of each item. One without a type, of an older version of the box, is not a picture. */
function itemTypes(content: Buffer, { start, end }: Box): Map<number, string> {
  const types = new Map<number, string>();
  const isLong = content[start] !== 0;
  for (const box of boxesIn(content, start + (isLong ? 8 : 6), end)) {
    const version = content[box.start]!;
    const idBytes = version === 3 ? 4 : 2;
    if (box.type !== 'infe' || box.end < box.start + 4 + idBytes + 6) continue;
    const id = content.readUIntBE(box.start + 4, idBytes);
    const typeAt = box.start + 4 + idBytes + 2;
    types.set(id, version < 2 ? '' : content.toString('latin1', typeAt, typeAt + 4));
  }
  return types;
}

interface Part {
  id: number;
  /** 0: offsets are in the file. 1: in the box `idat`. */
  method: number;
  from: number;
  to: number;
}

/** Yields where the parts of all items are. */
function* itemParts(content: Buffer, { start, end }: Box): Generator<Part> {
  let at = start + 4;
  const number = (bytes: number): number => {
    at += bytes;
    if (bytes === 0 || at > end) return 0;
    return bytes === 8 ? Number(content.readBigUInt64BE(at - 8)) : content.readUIntBE(at - bytes, bytes);
  };
  const version = content[start]!;
  const sizes = number(2);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = version > 0 ? sizes & 15 : 0;
  if ([offsetBytes, lengthBytes, baseBytes, indexBytes].some((bytes) => ![0, 4, 8].includes(bytes))) return;
  const items = number(version < 2 ? 2 : 4);
  let parts = 0;
  for (let n = 0; n < items && at < end; n++) {
    const id = number(version < 2 ? 2 : 4);
    const method = version > 0 ? number(2) & 15 : 0;
    number(2);
    const base = number(baseBytes);
    const count = number(2);
    for (let part = 0; part < count && at <= end; part++) {
      if (++parts > MAX_PARTS) return;
      number(indexBytes);
      const from = base + number(offsetBytes);
      yield { id, method, from, to: from + number(lengthBytes) };
    }
  }
}
