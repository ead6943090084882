import type { Database } from '../db/connect.ts';
import { type Edition, editionOf, MADE, storedPrint, storePrint } from '../services/document/print.ts';
import {
  type CreditNoteDocument,
  creditNoteDocument,
  type InvoiceDocument,
  invoiceDocument,
  invoiceHead,
} from '../services/document/read.ts';
import { FairQueue } from './fair-queue.ts';
import { PrintThreads, THREADS } from './threads.ts';

interface PrintedFile {
  bytes: Buffer;
  name: string;
}

const WAITING = { perOwner: 100, inAll: 1_000, longestMs: 30_000 };
/** One more than threads: while one document is printed, the next one is read. */
const PRINTS = { atOnce: THREADS, rest: 0.5, ...WAITING };
/** A stored print costs several reads and a long response, so that a few callers could occupy the process with them. */
const LOOK_UPS = { atOnce: 1, rest: 1, ...WAITING };

/** Prints documents outside the thread that serves requests; a final document is printed once and then stored. */
export class PdfPrinter {
  readonly #db: Database;
  readonly #threads = new PrintThreads();
  readonly #prints = new FairQueue(PRINTS);
  readonly #lookUps = new FairQueue(LOOK_UPS);
  /** Prints in progress, so that several requests for one document share one print. */
  readonly #running = new Map<string, Promise<Buffer>>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** An invoice's PDF; null when the vendor has no such invoice. */
  async invoice(vendorId: string, id: string): Promise<PrintedFile | null> {
    const found = await this.#lookUps.run(vendorId, async () => {
      const head = await invoiceHead(this.#db.em(), vendorId, id);
      return head === null ? null : { head, stored: await this.#stored(id, editionOf(head)) };
    });
    if (found === null) return null;
    const { head, stored } = found;
    const read = async () => {
      const document = await invoiceDocument(this.#db, vendorId, id);
      if (document === null) throw new Error(`invoice ${id} is gone`);
      // a payment or credit may have been written since the head was read
      return { document, edition: editionOf(document) };
    };
    return { bytes: stored ?? (await this.#printed(vendorId, id, editionOf(head), read)), name: fileName('invoice', head.number) };
  }

  /** A credit note's PDF; null when the invoice has no such note. */
  async creditNote(vendorId: string, invoiceId: string, id: string): Promise<PrintedFile | null> {
    const found = await this.#lookUps.run(vendorId, async () => {
      const document = await creditNoteDocument(this.#db.em(), vendorId, invoiceId, id);
      return document === null ? null : { document, stored: await this.#stored(id, MADE) };
    });
    if (found === null) return null;
    const { document, stored } = found;
    const bytes = stored ?? (await this.#printed(vendorId, id, MADE, async () => ({ document, edition: MADE })));
    return { bytes, name: fileName('credit-note', document.note.number) };
  }

  close(): Promise<void> {
    return this.#threads.close();
  }

  async #stored(id: string, edition: Edition | null): Promise<Buffer | null> {
    return edition === null ? null : storedPrint(this.#db.em(), id, edition);
  }

  async #printed(vendorId: string, id: string, edition: Edition | null, read: () => Promise<EditionToPrint>): Promise<Buffer> {
    const key = `${id} ${edition?.basis}`;
    const printing =
      this.#running.get(key) ?? this.#prints.run(vendorId, () => this.#print(id, read)).finally(() => this.#running.delete(key));
    this.#running.set(key, printing);
    return printing;
  }

  async #print(id: string, read: () => Promise<EditionToPrint>): Promise<Buffer> {
    const { document, edition } = await read();
    const bytes = await this.#threads.print(document);
    if (edition !== null) await storePrint(this.#db, id, edition, bytes);
    return bytes;
  }
}

interface EditionToPrint {
  document: InvoiceDocument | CreditNoteDocument;
  edition: Edition | null;
}

/** A number may have signs that folders and links are made of. */
const fileName = (kind: string, number: string): string => `${kind}-${number.replaceAll(/[^\w.-]/g, '-')}.pdf`;
