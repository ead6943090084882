import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create } from 'fontkit';
import PDFDocument from 'pdfkit';

/**
 * The fonts are embedded, so that a document looks the same everywhere; they cover Latin, Greek and Cyrillic letters.
 */
const resolve = createRequire(import.meta.url).resolve;
/**
 * Parsed once per thread, since it costs more than a whole page; pdfkit accepts a parsed font,
 * but its types don't say so.
 */
const fontAt = (path: string): Buffer => create(readFileSync(resolve(path))) as unknown as Buffer;
const REGULAR = fontAt('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
const BOLD = fontAt('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf');

export const MARGIN = 50;
const FOOTER = 40;
export const INK = '#1a1a1a';
export const GREY = '#666666';
export const GREEN = '#1a7f37';
const RULE = '#bbbbbb';
const BAND = '#f4f5f7';

type Weight = 'regular' | 'bold';

/** The A4 pages of one document; `y` is where the next line goes. */
export class PdfPage {
  readonly pdf: PDFKit.PDFDocument;
  y = MARGIN;

  constructor(title: string, author: string, at: number) {
    // the document's own date, so that a second print has the same bytes
    const date = new Date(at);
    this.pdf = new PDFDocument({
      size: 'A4',
      margin: MARGIN,
      bufferPages: true,
      lang: 'en',
      displayTitle: true,
      info: { Title: title, Author: author, CreationDate: date, ModDate: date },
    });
    this.pdf.registerFont('regular', REGULAR).registerFont('bold', BOLD);
    this.write('regular', 9);
  }

  get width(): number {
    return this.pdf.page.width - 2 * MARGIN;
  }

  /** The lowest place for text on this page. */
  get bottom(): number {
    return this.pdf.page.height - MARGIN - FOOTER;
  }

  write(weight: Weight, size: number, colour = INK): PDFKit.PDFDocument {
    return this.pdf.font(weight).fontSize(size).fillColor(colour);
  }

  /** Prints text in a column and returns its height; `y` stays. */
  textAt(text: string, x: number, width: number, align: 'left' | 'right' = 'left'): number {
    this.pdf.text(text, x, this.y, { width, align, lineBreak: true });
    return this.pdf.y - this.y;
  }

  /** Prints a band over the whole width with a bar at its left; `y` stays. */
  band(height: number, colour: string): void {
    this.pdf.rect(MARGIN, this.y, this.width, height).fill(BAND);
    this.pdf.rect(MARGIN, this.y, 3, height).fill(colour);
  }

  rule(): void {
    this.pdf
      .moveTo(MARGIN, this.y)
      .lineTo(MARGIN + this.width, this.y)
      .lineWidth(0.5)
      .strokeColor(RULE)
      .stroke();
  }

  /** Begins a new page unless this height fits on the current one. */
  need(height: number, onNewPage: () => void = () => {}): void {
    if (this.y + height <= this.bottom) return;
    this.pdf.addPage();
    this.y = MARGIN;
    onNewPage();
  }

  /** Numbers the pages and returns the bytes. */
  finish(foot: string): Promise<Buffer> {
    const { start, count } = this.pdf.bufferedPageRange();
    for (let index = start; index < start + count; index += 1) {
      this.pdf.switchToPage(index);
      // below the bottom margin pdfkit would begin a new page
      this.pdf.page.margins.bottom = 0;
      const y = this.pdf.page.height - MARGIN;
      this.write('regular', 7.5, GREY);
      this.pdf.text(foot, MARGIN, y, { width: this.width - 80, lineBreak: false, ellipsis: true });
      this.pdf.text(`Page ${index + 1} of ${count}`, MARGIN + this.width - 80, y, { width: 80, align: 'right', lineBreak: false });
    }
    const parts: Buffer[] = [];
    return new Promise((done, fail) => {
      this.pdf.on('data', (part: Buffer) => parts.push(part));
      this.pdf.on('end', () => done(Buffer.concat(parts)));
      this.pdf.on('error', fail);
      this.pdf.end();
    });
  }
}
