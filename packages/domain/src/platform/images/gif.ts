import { clear, clearRest, keep, read, replace, type Step, type Steps } from './rewrite-content.ts';

const IMAGE = 0x2c;
const EXTENSION = 0x21;
const CONTROL = 0xf9;
const PLAIN_TEXT = 0x01;
const APPLICATION = 0xff;

/** The applications whose extensions decoders need: repetitions of an animation, and the colour profile. */
const KEPT = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

/** A GIF image without its metadata: comments and other applications' extensions are cleared, and what follows the image. */
export function* gifSteps(): Steps {
  yield* colorTable((yield read(13))[10]!);
  for (;;) {
    const [kind] = yield read(1);
    if (kind === IMAGE) {
      yield* colorTable((yield read(9))[8]!);
      yield keep(1);
      yield* blocks(keep);
    } else if (kind === EXTENSION) {
      const [label] = yield read(1);
      yield* label === APPLICATION
        ? applicationExtension()
        : blocks(label === CONTROL || label === PLAIN_TEXT ? keep : clear);
      // Some encoders write a zero between blocks.
    } else if (kind !== 0) break;
  }
  yield clearRest;
}

/** The colors that follow a header, if its flags say so. */
function* colorTable(flags: number): Steps {
  if (flags & 0x80) yield keep(3 << ((flags & 0x07) + 1));
}

function* applicationExtension(): Steps {
  const [length] = yield read(1);
  if (length === 0) return;
  const isKept = (name: Buffer) => KEPT.has(name.toString('latin1'));
  const name = yield replace(length!, (name) => (isKept(name) ? name : Buffer.alloc(name.length)));
  yield* blocks(isKept(name) ? keep : clear);
}

/** Blocks with their lengths, up to an empty one. */
function* blocks(step: (bytes: number) => Step): Steps {
  for (;;) {
    const [length] = yield read(1);
    if (length === 0) return;
    yield step(length!);
  }
}
