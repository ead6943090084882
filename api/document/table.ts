import { GREY, MARGIN, type Page } from './page.ts';

export interface Column {
  title: string;
  width: number;
  align?: 'right';
}

/** A row of a table: the first column has a main line and small lines under it. */
export interface TableRow {
  main: string;
  small: string[];
  cells: string[];
}

const GAP = 6;
const SIZE = 8.5;
const SMALL = 7.5;

/**
 * The first column takes the width the others leave. A row is never broken over two sheets; the titles stand on each. The last row goes
 * with what stands `below` it, so high.
 */
export function table(page: Page, first: string, columns: readonly Column[], rows: readonly TableRow[], below = 0): void {
  const wide = page.width - columns.reduce((sum, { width }) => sum + width, 0);
  const titles = () => titleRow(page, first, columns, wide);
  titles();
  for (const [index, row] of rows.entries()) {
    page.need(heightOf(page, row, columns, wide) + (index === rows.length - 1 ? below : 0), titles);
    bodyRow(page, row, columns, wide);
  }
}

function titleRow(page: Page, first: string, columns: readonly Column[], wide: number): void {
  page.write('regular', SMALL, GREY);
  page.textAt(first, MARGIN, wide - GAP);
  let x = MARGIN + wide;
  for (const { title, width, align } of columns) {
    page.textAt(title, x, width, align ?? 'left');
    x += width;
  }
  page.y += 13;
  page.rule();
  page.y += 6;
}

function heightOf(page: Page, { main, small, cells }: TableRow, columns: readonly Column[], wide: number): number {
  page.write('regular', SIZE);
  const beside = Math.max(...cells.map((text, index) => page.pdf.heightOfString(text, { width: columns[index]?.width ?? wide })));
  let left = page.pdf.heightOfString(main, { width: wide - GAP });
  page.write('regular', SMALL);
  for (const line of small) left += page.pdf.heightOfString(line, { width: wide - GAP }) + 1;
  return Math.max(left, beside) + 7;
}

function bodyRow(page: Page, row: TableRow, columns: readonly Column[], wide: number): void {
  const top = page.y;
  const height = heightOf(page, row, columns, wide);
  page.write('regular', SIZE);
  let x = MARGIN + wide;
  for (const [index, { width, align }] of columns.entries()) {
    page.textAt(row.cells[index] ?? '', x, width, align ?? 'left');
    x += width;
  }
  page.y += page.textAt(row.main, MARGIN, wide - GAP) + 1;
  page.write('regular', SMALL, GREY);
  for (const line of row.small) page.y += page.textAt(line, MARGIN, wide - GAP) + 1;
  page.y = top + height;
}

export const heightOfSums = (rows: readonly unknown[]): number => rows.length * 16 + 14;

/** Sums under a table, right-aligned; the last one stands out. */
export function sums(page: Page, rows: readonly (readonly [string, string])[]): void {
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

/** A paragraph over the whole width. */
export function paragraph(page: Page, text: string): void {
  page.write('regular', SIZE);
  page.need(page.pdf.heightOfString(text, { width: page.width }) + 12);
  page.y += 12;
  page.y += page.textAt(text, MARGIN, page.width);
}
