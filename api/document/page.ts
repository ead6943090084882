import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';

/** Embedded in every document, so that it looks the same everywhere; covers Latin, Greek and Cyrillic letters and all our currencies. */
const resolve = createRequire(import.meta.url).resolve;
const REGULAR = resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
const BOLD = resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf');

export const MARGIN = 50;
const FOOTER = 40;
const INK = '#1a1a1a';
export const GREY = '#666666';
const RULE = '#bbbbbb';

type Weight = 'regular' | 'bold';

/** A sheet of A4 paper after the other, with a place where the next line goes. */
export class Page {
  readonly pdf: PDFKit.PDFDocument;
  y = MARGIN;

  constructor(title: string, author: string, at: number) {
    // the dates are the document's own: printed again it is the same, byte for byte
    const made = new Date(at);
    this.pdf = new PDFDocument({
      size: 'A4',
      margin: MARGIN,
      bufferPages: true,
      info: { Title: title, Author: author, CreationDate: made, ModDate: made },
    });
    this.pdf.registerFont('regular', REGULAR).registerFont('bold', BOLD);
    this.write('regular', 9);
  }

  get width(): number {
    return this.pdf.page.width - 2 * MARGIN;
  }

  /** The lowest place for text on this sheet. */
  get bottom(): number {
    return this.pdf.page.height - MARGIN - FOOTER;
  }

  write(weight: Weight, size: number, colour = INK): PDFKit.PDFDocument {
    return this.pdf.font(weight).fontSize(size).fillColor(colour);
  }

  /** Text in a column; gives its height. The place of the next line stays. */
  textAt(text: string, x: number, width: number, align: 'left' | 'right' = 'left'): number {
    const height = this.pdf.heightOfString(text, { width, align });
    this.pdf.text(text, x, this.y, { width, align, lineBreak: true });
    return height;
  }

  rule(): void {
    this.pdf
      .moveTo(MARGIN, this.y)
      .lineTo(MARGIN + this.width, this.y)
      .lineWidth(0.5)
      .strokeColor(RULE)
      .stroke();
  }

  /** Begins a new sheet unless so much fits on this one. */
  need(height: number, onNew: () => void = () => {}): void {
    if (this.y + height <= this.bottom) return;
    this.pdf.addPage();
    this.y = MARGIN;
    onNew();
  }

  /** Numbers the sheets and gives the bytes. */
  finish(foot: string): Promise<Buffer> {
    const { start, count } = this.pdf.bufferedPageRange();
    for (let index = start; index < start + count; index += 1) {
      this.pdf.switchToPage(index);
      // written below the margin, where pdfkit would begin a new sheet by itself
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
