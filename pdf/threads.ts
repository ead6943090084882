import { availableParallelism, getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { CreditNoteDocument, InvoiceDocument } from '../services/document/read.ts';

/** One core is left for the thread that serves requests. */
export const THREADS = Math.max(1, availableParallelism() - 1);

/**
 * Printing can take seconds of processor time, so it runs in separate threads; on Linux these have a lower priority.
 */
export class PrintThreads {
  readonly #pool = new Piscina<InvoiceDocument | CreditNoteDocument, Uint8Array>({
    filename: fileURLToPath(new URL('./thread.ts', import.meta.url)),
    name: 'printDocument',
    minThreads: 0,
    maxThreads: THREADS,
    // a thread has parsed the fonts, so it stays alive for a while
    idleTimeout: 60_000,
    atomics: 'disabled',
    niceIncrement: lowerBy(),
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

/**
 * By how much the threads' priority is lower. It is set on Linux only: elsewhere it would apply to the whole process.
 * It must not result in −1, which the system call also returns when it fails and which would end the process.
 */
function lowerBy(): number {
  if (process.platform !== 'linux') return 0;
  return getPriority() + 5 === -1 ? 6 : 5;
}
