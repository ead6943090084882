import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** Lines of a file as one request sends them. */
export type LinePage = readonly { number: number; text: string }[];

const MOST_LINES = 1_000;
/** A request may have 1 MiB; the numbers need some of it. */
const MOST_BYTES = 800_000;

/** Reads a file of one JSON object a line, a page at a time: however long it is, one page of it is in memory. */
export async function* pagesOf(file: string): AsyncGenerator<LinePage> {
  let page: { number: number; text: string }[] = [];
  let bytes = 0;
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() === '') continue;
    const text = sendable(line);
    if (page.length === MOST_LINES || (page.length > 0 && bytes + text.length > MOST_BYTES)) {
      yield page;
      [page, bytes] = [[], 0];
    }
    page.push({ number, text });
    bytes += Buffer.byteLength(text);
  }
  if (page.length > 0) yield page;
}

/** The line itself, so that its numbers stay as they are; one that can't be sent as text, which is refused. */
function sendable(line: string): string {
  if (Buffer.byteLength(line) > MOST_BYTES) return JSON.stringify('the line is too long');
  try {
    JSON.parse(line);
    return line;
  } catch {
    return JSON.stringify('the line is not JSON');
  }
}

/** What a page says as the body of a request. */
export const bodyOf = (page: LinePage): string =>
  `{"lines":[${page.map(({ number, text }) => `{"number":${number},"line":${text}}`).join(',')}]}`;
