/**
 * The anchor of a heading as code hosts make it: small letters, words joined by hyphens, a number behind one that
 * stands there already.
 */
export class Anchors {
  readonly #counts = new Map<string, number>();

  next(heading: string): string {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
    const name = plain
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  }
}

/** All anchors of a page. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Anchors();
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, '');
  return new Set([...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchors.next(heading)));
}
