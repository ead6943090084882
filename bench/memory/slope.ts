const HOUR_MS = 3_600_000;

/** How much a figure grows in an hour, by least squares through looks that are `everyMs` apart. */
export function slopeOf(looks: readonly number[], everyMs: number): number {
  const middle = (looks.length - 1) / 2;
  const mean = looks.reduce((sum, look) => sum + look, 0) / looks.length;
  const [products, squares] = looks.reduce(
    ([product, square], look, at) => [product + (at - middle) * (look - mean), square + (at - middle) ** 2],
    [0, 0],
  );
  return ((products / squares) * HOUR_MS) / everyMs;
}
