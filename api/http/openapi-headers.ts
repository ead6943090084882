type Json = Record<string, unknown>;

const text = (description: string, example: string, schema: Json = { type: 'string' }): Json => ({ description, schema, example });
const whole = { type: 'integer', minimum: 0 };

/** Headers of responses, by their wire names. */
export const headers = {
  'request-id': text('Names this request in our logs, also where it fails: keep it for questions.', '7c3d8f21-3a9b-4c1d-9e3f-0197a3c45b1e'),
  'retry-after': text('Seconds after which a repeat makes sense. Given where the refusal ends by itself.', '1', whole),
  'www-authenticate': text('Which credentials would be accepted.', 'ApiKey realm="Perennial", header="wb-key"'),
  'ratelimit-limit': text('Requests a key may make in a minute. Given where limits are switched on.', '600', whole),
  'ratelimit-remaining': text('Requests that are left in this minute.', '598', whole),
  'ratelimit-reset': text('Seconds until the next minute begins.', '42', whole),
  'content-disposition': text('Name of the file, to be shown in the browser.', 'inline; filename="invoice-2.pdf"'),
};

type HeaderName = keyof typeof headers;

/** The headers of a response: references, so that each is described once. */
export const headersOf = (...names: HeaderName[]): Record<string, Json> =>
  Object.fromEntries(['request-id' as const, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const LIMITS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'] as const satisfies HeaderName[];
