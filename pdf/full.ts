/** A document that was not printed, because too many wait: `owner_full`: of its own vendor, `all_full`: of all. */
export class PrintQueueFull extends Error {
  readonly code: 'owner_full' | 'all_full';
  /** seconds after which to ask again */
  readonly retryAfter: number;

  constructor(code: PrintQueueFull['code'], retryAfter: number) {
    super(`the queue of prints is full (${code})`);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}
