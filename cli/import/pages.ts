import { createReadStream } from 'node:fs';

/** A line of a file as a request sends it. */
export interface FileLine {
  number: number;
  text: string;
  /** why it can't be sent as it stands; then the text says nothing of it, and is refused */
  unsent?: string;
}

/** Lines of a file as one request sends them. */
export type LinePage = readonly FileLine[];

const MOST_LINES = 1_000;
/** A request may have 1 MiB; the numbers need some of it. */
const MOST_BYTES = 800_000;

/** Reads a file of one JSON object a line, a page at a time: however long it is, one page of it is in memory. */
export async function* pagesOf(file: string): AsyncGenerator<LinePage> {
  let page: FileLine[] = [];
  let bytes = 0;
  let number = 0;
  for await (const line of linesOf(file)) {
    number += 1;
    if (line.trim() === '') continue;
    const sent = sendable(line);
    const size = Buffer.byteLength(sent.text);
    if (page.length === MOST_LINES || (page.length > 0 && bytes + size > MOST_BYTES)) {
      yield page;
      [page, bytes] = [[], 0];
    }
    page.push({ number, ...sent });
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

/** The line itself, so that its numbers stay as they are. */
function sendable(line: string): Omit<FileLine, 'number'> {
  const bytes = Buffer.byteLength(line);
  if (bytes > MOST_BYTES) return unsendable(`has ${bytes} bytes, and a line may have ${MOST_BYTES}`);
  try {
    JSON.parse(line);
    return { text: line };
  } catch (error) {
    // its line is the first of this text, not the line of the file
    const why = (error as Error).message.replace(/ \(line \d+ column \d+\)$/, '');
    return unsendable(`must be a JSON object: ${why}`);
  }
}

/** In place of a line that no request can have: what the server refuses under its number. */
export const unsendable = (unsent: string): Omit<FileLine, 'number'> => ({ text: JSON.stringify('a line that could not be sent'), unsent });

/** What a page says as the body of a request. */
export const bodyOf = (page: LinePage): string =>
  `{"lines":[${page.map(({ number, text }) => `{"number":${number},"line":${text}}`).join(',')}]}`;
