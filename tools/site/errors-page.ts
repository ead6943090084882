import { type ErrorCode, errors } from '../../api/http/errors.ts';

/** The chapters, and the statuses that each is about. */
const CHAPTERS: readonly (readonly [string, readonly number[]])[] = [
  ['The request is to be corrected', [400, 405, 413, 415]],
  ['Who may', [401, 403]],
  ['The payment', [402]],
  ['Unknown', [404]],
  ['The state is another one', [409]],
  ['Too much', [429]],
  ['Ours', [500, 503]],
];

const INTRO = `# Errors

Every expected failure has a code of this list; there are no others. A response is a problem in JSON
(\`application/problem+json\`): \`code\`, \`title\` and \`status\` are those below, \`detail\` says what it was this time, \`feedback\`
names the fields or the subject, \`request_id\` is what to report. With \`Retry-After\` the same request may
be sent again after so many seconds. What each endpoint can answer stands in its reference: \`GET /docs\` of a running server.

Made from \`api/http/errors.ts\` by \`npm run docs:errors\`; a test keeps both the same.
`;

/** The catalogue of errors as a page: by status, each code with its title and what to do about it. */
export function errorsPage(): string {
  const codes = Object.keys(errors) as ErrorCode[];
  const chapters = CHAPTERS.map(([title, statuses]) => {
    const rows = codes
      .filter((code) => statuses.includes(errors[code].status))
      .map((code) => `| \`${code}\` | ${errors[code].status} | ${errors[code].title} | ${errors[code].remedy} |`);
    return [`## ${title}`, '', '| code | status | what it says | what to do |', '|---|---|---|---|', ...rows, ''].join('\n');
  });
  return [INTRO, ...chapters].join('\n');
}
