import { GREY, INK, MARGIN, type PdfPage } from './page.ts';

export interface Column {
  title: string;
  width: number;
  align?: 'right';
}

/**
 * A row of a table: the first column has a main line, below it small lines, and below these the parts of the amount.
 */
export interface TableRow {
  main: string;
  small: string[];
  cells: string[];
  parts?: { label: string; cells: string[] }[];
}

/** A piece of a table that is never split over two pages. */
interface Block {
  height: number;
  print: () => void;
}

const GAP = 6;
const SIZE = 8.5;
const SMALL = 7.5;
const INDENT = 10;
const BETWEEN_ROWS = 7;

/**
 * Prints a table; the first column takes the width that the others leave, and each page repeats the titles.
 * A row's head stays on one page with its first part, and the last block with the `below` points under it.
 */
export function printTable(page: PdfPage, first: string, columns: readonly Column[], rows: readonly TableRow[], below: number): void {
  const wide = page.width - columns.reduce((sum, { width }) => sum + width, 0);
  const titles = () => titleRow(page, first, columns, wide);
  titles();
  const blocks = rows.flatMap((row) => blocksOf(page, row, columns, wide));
  for (const [index, { height, print }] of blocks.entries()) {
    page.need(height + (index === blocks.length - 1 ? below : 0), titles);
    print();
  }
}

function titleRow(page: PdfPage, first: string, columns: readonly Column[], wide: number): void {
  page.write('regular', SMALL, GREY);
  page.textAt(first, MARGIN, wide - GAP);
  printCells(
    page,
    columns.map(({ title }) => title),
    columns,
    wide,
  );
  page.y += 13;
  page.rule();
  page.y += 6;
}

function blocksOf(page: PdfPage, row: TableRow, columns: readonly Column[], wide: number): Block[] {
  const head: Block = { height: headHeight(page, row, columns, wide), print: () => printHead(page, row, columns, wide) };
  const parts = (row.parts ?? []).map(({ label, cells }): Block => {
    const height = heightOf(page, SMALL, [[label, wide - GAP - INDENT], ...widths(cells, columns, wide)]) + 1;
    return { height, print: () => printPart(page, label, cells, columns, wide, height) };
  });
  const [first, ...others] = parts;
  const together: Block =
    first === undefined
      ? head
      : {
          height: head.height + first.height,
          print: () => {
            head.print();
            first.print();
          },
        };
  return spaced(page, [together, ...others]);
}

/** Adds the space between two rows to the last block of the upper row. */
function spaced(page: PdfPage, blocks: Block[]): Block[] {
  return blocks.map(({ height, print }, index) => {
    if (index < blocks.length - 1) return { height, print };
    const printSpaced = () => {
      print();
      page.y += BETWEEN_ROWS;
    };
    return { height: height + BETWEEN_ROWS, print: printSpaced };
  });
}

const widths = (cells: readonly string[], columns: readonly Column[], wide: number): [string, number][] =>
  cells.map((text, index) => [text, columns[index]?.width ?? wide]);

/** The height of the highest of several texts beside each other. */
function heightOf(page: PdfPage, size: number, texts: readonly (readonly [string, number])[]): number {
  page.write('regular', size);
  return Math.max(...texts.map(([text, width]) => (text === '' ? 0 : page.pdf.heightOfString(text, { width }))));
}

function headHeight(page: PdfPage, { main, small, cells }: TableRow, columns: readonly Column[], wide: number): number {
  const beside = heightOf(page, SIZE, widths(cells, columns, wide));
  let left = heightOf(page, SIZE, [[main, wide - GAP]]) + 1;
  for (const line of small) left += heightOf(page, SMALL, [[line, wide - GAP]]) + 1;
  return Math.max(left, beside);
}

function printHead(page: PdfPage, { main, small, cells }: TableRow, columns: readonly Column[], wide: number): void {
  const top = page.y;
  page.write('regular', SIZE, INK);
  const beside = printCells(page, cells, columns, wide);
  page.y += page.textAt(main, MARGIN, wide - GAP) + 1;
  page.write('regular', SMALL, GREY);
  for (const line of small) page.y += page.textAt(line, MARGIN, wide - GAP) + 1;
  page.y = Math.max(page.y, top + beside);
}

function printPart(page: PdfPage, label: string, cells: readonly string[], columns: readonly Column[], wide: number, height: number): void {
  page.write('regular', SMALL, GREY);
  page.textAt(label, MARGIN + INDENT, wide - GAP - INDENT);
  printCells(page, cells, columns, wide);
  page.y += height;
}

/** Returns the height of the highest cell. */
function printCells(page: PdfPage, cells: readonly string[], columns: readonly Column[], wide: number): number {
  let x = MARGIN + wide;
  let height = 0;
  for (const [index, { width, align }] of columns.entries()) {
    const text = cells[index] ?? '';
    if (text !== '') height = Math.max(height, page.textAt(text, x, width, align ?? 'left'));
    x += width;
  }
  return height;
}

export const heightOfSums = (rows: readonly unknown[]): number => rows.length * 16 + 14;

/** Prints sums under a table, right-aligned, the last one in bold. */
export function printSums(page: PdfPage, rows: readonly (readonly [string, string])[]): void {
  page.need(heightOfSums(rows));
  page.rule();
  page.y += 8;
  for (const [index, [name, amount]] of rows.entries()) {
    const last = index === rows.length - 1;
    page.write(last ? 'bold' : 'regular', last ? 11 : SIZE);
    page.textAt(name, MARGIN + page.width - 390, 200, 'right');
    page.y += page.textAt(amount, MARGIN + page.width - 180, 180, 'right') + 4;
  }
}

/** Prints a paragraph over the whole width. */
export function printParagraph(page: PdfPage, text: string): void {
  page.write('regular', SIZE);
  page.need(page.pdf.heightOfString(text, { width: page.width }) + 12);
  page.y += 12;
  page.y += page.textAt(text, MARGIN, page.width);
}
