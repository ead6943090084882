import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { CreditNoteDocument, InvoiceDocument } from '../../services/document/read.ts';

/** One core stays with the thread that answers requests. */
export const THREADS = Math.max(1, availableParallelism() - 1);

/** Printing takes the processor for seconds, so that it has threads of its own; on Linux they give way to all others. */
export class PrintThreads {
  readonly #pool = new Piscina<InvoiceDocument | CreditNoteDocument, Uint8Array>({
    filename: fileURLToPath(new URL('./thread.ts', import.meta.url)),
    name: 'printDocument',
    minThreads: 0,
    maxThreads: THREADS,
    // a thread that has read the fonts is kept for a while
    idleTimeout: 60_000,
    atomics: 'disabled',
    // elsewhere it would hold for the whole process
    niceIncrement: process.platform === 'linux' ? 5 : 0,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });

  async print(document: InvoiceDocument | CreditNoteDocument): Promise<Buffer> {
    const { buffer, byteOffset, byteLength } = await this.#pool.run(document);
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
