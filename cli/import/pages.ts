import { createReadStream } from 'node:fs';

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
  for await (const line of linesOf(file)) {
    number += 1;
    if (line.trim() === '') continue;
    const text = sendable(line);
    const size = Buffer.byteLength(text);
    if (page.length === MOST_LINES || (page.length > 0 && bytes + size > MOST_BYTES)) {
      yield page;
      [page, bytes] = [[], 0];
    }
    page.push({ number, text });
    bytes += size;
  }
  if (page.length > 0) yield page;
}

/** Only a line feed ends a line: Node's readline also ends one at U+2028, which JSON allows inside of a name. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  let isFirst = true;
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = `${rest}${isFirst ? withoutMark(chunk) : chunk}`.split('\n');
    isFirst = false;
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

/** Some programs begin a file in UTF-8 with a mark that is no part of its text. */
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

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
