/** Names one request with an Idempotency-Key; its response is stored under it, with its effect. */
export interface IdempotencyRef {
  vendorId: string;
  operation: string;
  key: string;
  /** the id that the path of the request names first; null: none */
  subject?: string | null;
  bodyHash: string;
}

export interface Lease extends IdempotencyRef {
  /** the end of our lease; another request may take over afterwards */
  leasedUntil: number;
}

export interface StoredResponse {
  status: number;
  /** null: the response carried a secret and isn't stored */
  body: string | null;
  /** a file in place of a body; reads only, so it is never stored */
  bytes?: Buffer;
  headers: Record<string, string>;
  secret: boolean;
}
