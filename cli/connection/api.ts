import { loadVendorAccess, type VendorAccess } from '../../config/vendor-access.ts';
import { type Perennial, perennial } from '../../tools/client/client.ts';
import { CommandError } from '../run.ts';

/** The API refused a call: what it said, in words. */
export class ApiRefusal extends CommandError {
  readonly status: number;
  readonly code: string | null;
  /** Field by field, by the path of the field in the request. */
  readonly fields: ReadonlyMap<string, string>;

  constructor(request: Request, response: Response, problem: Problem | null) {
    const path = `${request.method} ${new URL(request.url).pathname}`;
    const fields = Object.entries(problem?.feedback ?? {}).map(([name, { value }]) => [name, value] as const);
    const lines = [
      `${path} answered ${response.status}${problem === null ? '' : ` ${problem.code}: ${problem.detail}`}`,
      ...fields.map(([name, value]) => `  ${name}: ${value}`),
      ...(response.status >= 500 && problem !== null ? [`  request ${problem.request_id}`] : []),
    ];
    super(lines.join('\n'));
    this.status = response.status;
    this.code = problem?.code ?? null;
    this.fields = new Map(fields);
  }
}

/** The API did not answer at all. */
export class ApiSilence extends CommandError {}

interface Problem {
  code: string;
  detail: string;
  request_id: string;
  feedback?: Record<string, { value: string }>;
}

export interface VendorApi {
  api: Perennial;
  access: VendorAccess;
}

/** The API as the vendor's own key sees it; whatever goes wrong with a call becomes an error of one line or few. */
export function vendorApi(): VendorApi {
  const access = loadVendorAccess();
  const api = perennial(access.url, access.key);
  api.use({
    onError: ({ error }) =>
      error instanceof Error && error.name === 'AbortError'
        ? error
        : new ApiSilence(`nothing answers at ${access.url}: is the server running, and is that its address?`, { cause: error }),
    onResponse: async ({ request, response }) => {
      if (response.ok) return;
      const isProblem = response.headers.get('content-type')?.includes('json') === true;
      throw new ApiRefusal(request, response, isProblem ? ((await response.json()) as Problem) : null);
    },
  });
  return { api, access };
}

/** The body of a call that is expected to succeed. */
export async function answer<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call;
  if (data === undefined) throw new CommandError('the server answered without a body: is PERENNIAL_URL the address of the API?');
  return data;
}

const TOO_MANY = 429;
const SERVER_FAULT = 500;

/** Whether the same call may well succeed later: the server is away, busy or in trouble. */
export const passesByItself = (error: unknown): error is CommandError =>
  error instanceof ApiSilence || (error instanceof ApiRefusal && (error.status === TOO_MANY || error.status >= SERVER_FAULT));
