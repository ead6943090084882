import type { Parties } from '../services/document/read.ts';
import { GREY, MARGIN, type PdfPage } from './page.ts';
import { addressLines } from './text.ts';

const RIGHT = 200;

/** Prints seller and title, and below them buyer and facts; `facts` are pairs of a name and a value. */
export function printDocumentHead(
  page: PdfPage,
  { seller, buyer }: Parties,
  title: string,
  facts: readonly (readonly [string, string])[],
): void {
  const left = page.width - RIGHT - 20;
  page.write('bold', 11);
  const name = page.textAt(seller.name, MARGIN, left);
  page.write('bold', 18);
  page.textAt(title, MARGIN + left + 20, RIGHT, 'right');
  page.y += name + 2;
  page.write('regular', 8.5, GREY);
  const lines = [...addressLines(seller.address), ...(seller.vat_id === null ? [] : [`VAT ID ${seller.vat_id}`])];
  for (const line of lines) page.y += page.textAt(line, MARGIN, left) + 1;
  page.y = Math.max(page.y + 26, MARGIN + 90);

  const top = page.y;
  page.write('regular', 7.5, GREY);
  page.y += page.textAt('BILLED TO', MARGIN, left) + 3;
  page.write('bold', 10);
  page.y += page.textAt(buyer.name === '' ? 'Customer' : buyer.name, MARGIN, left) + 2;
  page.write('regular', 9);
  for (const line of [...addressLines(buyer.address), ...(buyer.vat_id === null ? [] : [`VAT ID ${buyer.vat_id}`])]) {
    page.y += page.textAt(line, MARGIN, left) + 1;
  }
  const below = page.y;

  page.y = top;
  for (const [fact, value] of facts) {
    page.write('regular', 8.5, GREY);
    page.textAt(fact, MARGIN + left + 20, 90);
    page.write('regular', 8.5);
    page.y += page.textAt(value, MARGIN + left + 110, RIGHT - 90, 'right') + 3;
  }
  page.y = Math.max(below, page.y) + 24;
}
