import { Perennial, PerennialError } from '../../client/src/index.ts';
import { loadVendorAccess, type VendorAccess } from '../../config/vendor-access.ts';
import { CommandError } from '../run.ts';

const TOO_MANY = 429;
const SERVER_FAULT = 500;
/** Something else than the API answers at the address. */
const UNREADABLE = 'unreadable_answer';

/** What went wrong with a call: the API refused it, or did not answer at all. */
export class ApiFault extends CommandError {
  /** null where nothing answered */
  readonly status: number | null;
  readonly code: string;
  /** What was wrong, by the path of the field in the request. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(error: PerennialError) {
    super(wordsFor(error), { cause: error });
    this.status = error.status;
    this.code = error.code;
    this.fields = error.fields;
  }
}

function wordsFor({ message, code, status, requestId }: PerennialError): string {
  if (code === UNREADABLE) return `${message} Is PERENNIAL_URL the address of the API?`;
  if (status === null) return `nothing answers at ${loadVendorAccess().url}: is the server running, and is that its address?`;
  return status >= SERVER_FAULT && requestId !== null ? `${message}\n  request ${requestId}` : message;
}

export interface VendorApi {
  api: Perennial;
  access: VendorAccess;
}

/** The API as the vendor's own key sees it; `answer` makes the errors of its calls those of a command. */
export function vendorApi(): VendorApi {
  const access = loadVendorAccess();
  return { api: new Perennial({ baseUrl: access.url, apiKey: access.key }), access };
}

/** What a call gives; whatever goes wrong with it becomes an error of one line or few. */
export async function answer<T>(call: PromiseLike<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof PerennialError ? new ApiFault(error) : error;
  }
}

/** What all pages of a list have. */
export async function allOf<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of list) all.push(one);
  return all;
}

/** Whether the same call may well succeed later: the server is away, busy or in trouble. */
export const passesByItself = (error: unknown): error is ApiFault =>
  error instanceof ApiFault &&
  (error.status === null ? error.code !== UNREADABLE : error.status === TOO_MANY || error.status >= SERVER_FAULT);
