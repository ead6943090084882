import type { PdfPage } from './page.ts';
import { printParagraph } from './table.ts';

const TEXT = 'Reverse charge: the tax is owed by the recipient of the service (Article 196 of Council Directive 2006/112/EC).';

/** What an invoice has to say where the recipient owes the tax of a line, and a credit note too, which amends it. */
export function printReverseCharge(page: PdfPage, lines: readonly { reverseCharge: boolean }[]): void {
  if (lines.some(({ reverseCharge }) => reverseCharge)) printParagraph(page, TEXT);
}
