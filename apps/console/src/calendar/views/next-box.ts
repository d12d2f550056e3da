export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Differences of positions up to this are none, in pixels. */
const TOLERANCE = 4;

/**
 * Returns the index of the box that an arrow key goes to from another one, or null if there is none: up and down, the nearest that is above
 * or below it; left and right, of those in the nearest column the one at the most similar height.
 */
export function nextBox(
  boxes: readonly Box[],
  from: number,
  direction: 'up' | 'down' | 'left' | 'right',
): number | null {
  const own = boxes[from]!;
  const isHorizontal = direction === 'left' || direction === 'right';
  const ahead = boxes
    .map((box, index) => ({ box, index, gap: gapTo(own, box, direction) }))
    .filter(({ box, index, gap }) => {
      if (index === from || gap < -TOLERANCE) return false;
      return isHorizontal || (box.left < own.right - TOLERANCE && box.right > own.left + TOLERANCE);
    });
  if (ahead.length === 0) return null;
  const nearest = Math.min(...ahead.map(({ gap }) => gap));
  const [next] = ahead
    .filter(({ gap }) => gap <= nearest + TOLERANCE)
    .sort((a, b) =>
      isHorizontal
        ? Math.abs(a.box.top - own.top) - Math.abs(b.box.top - own.top)
        : Math.abs(a.box.left - own.left) - Math.abs(b.box.left - own.left),
    );
  return next!.index;
}

function gapTo(own: Box, box: Box, direction: 'up' | 'down' | 'left' | 'right'): number {
  switch (direction) {
    case 'up':
      return own.top - box.bottom;
    case 'down':
      return box.top - own.bottom;
    case 'left':
      return own.left - box.right;
    case 'right':
      return box.left - own.right;
  }
}
