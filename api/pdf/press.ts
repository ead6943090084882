import type { Database } from '../../db/connect.ts';
import { type Edition, editionOf, keepPrint, keptPrint, MADE } from '../../services/document/print.ts';
import {
  type CreditNoteDocument,
  creditNoteDocument,
  type InvoiceDocument,
  invoiceDocument,
  invoiceHead,
} from '../../services/document/read.ts';
import { FairQueue } from './fair-queue.ts';
import { PrintThreads, THREADS } from './threads.ts';

interface Printed {
  bytes: Buffer;
  name: string;
}

/** While one document is printed, the next is read. */
const LIMITS = { atOnce: THREADS + 1, perOwner: 100, inAll: 1_000, longestMs: 30_000 };

/** Prints documents beside the thread that answers requests, each once: what is final is kept from then on. */
export class Press {
  readonly #db: Database;
  readonly #threads = new PrintThreads();
  readonly #queue = new FairQueue(LIMITS);
  /** prints that are waited for, so that many who ask for the same get the same */
  readonly #underWay = new Map<string, Promise<Buffer>>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** An invoice's PDF; null when the vendor has no such invoice. */
  async invoice(vendorId: string, id: string): Promise<Printed | null> {
    const head = await invoiceHead(this.#db.em(), vendorId, id);
    if (head === null) return null;
    const bytes = await this.#kept(vendorId, id, editionOf(head), async () => {
      const document = await invoiceDocument(this.#db, vendorId, id);
      if (document === null) throw new Error(`invoice ${id} is gone`);
      // something may have happened since the head was read
      return { document, edition: editionOf(document) };
    });
    return { bytes, name: `invoice-${head.number}.pdf` };
  }

  /** A credit note's PDF; null when the invoice has no such note. */
  async creditNote(vendorId: string, invoiceId: string, id: string): Promise<Printed | null> {
    const document = await creditNoteDocument(this.#db.em(), vendorId, invoiceId, id);
    if (document === null) return null;
    const bytes = await this.#kept(vendorId, id, MADE, async () => ({ document, edition: MADE }));
    return { bytes, name: `credit-note-${document.note.number}.pdf` };
  }

  close(): Promise<void> {
    return this.#threads.close();
  }

  async #kept(vendorId: string, id: string, edition: Edition | null, read: () => Promise<Sheet>): Promise<Buffer> {
    const kept = edition === null ? null : await keptPrint(this.#db.em(), id, edition);
    if (kept !== null) return kept;
    const key = `${id} ${edition?.basis}`;
    const printing =
      this.#underWay.get(key) ?? this.#queue.run(vendorId, () => this.#print(id, read)).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, printing);
    return printing;
  }

  async #print(id: string, read: () => Promise<Sheet>): Promise<Buffer> {
    const { document, edition } = await read();
    const bytes = await this.#threads.print(document);
    if (edition !== null) await keepPrint(this.#db.em(), id, edition, bytes);
    return bytes;
  }
}

interface Sheet {
  document: InvoiceDocument | CreditNoteDocument;
  edition: Edition | null;
}
