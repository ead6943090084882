import { type ErrorCode, errors } from '../../api/http/errors.ts';

/** The chapters, and the statuses that each is about. */
const CHAPTERS: readonly (readonly [string, readonly number[]])[] = [
  ['The request is wrong', [400, 405, 413, 415]],
  ['Access', [401, 403]],
  ['Payment', [402]],
  ['Not found', [404]],
  ['The state does not allow it', [409]],
  ['Too many requests', [429]],
  ['Faults on our side', [500, 503]],
];

const INTRO = `# Errors

Every expected failure has a code of this list; there are no others. A response is a problem in JSON
(\`application/problem+json\`): \`code\`, \`title\` and \`status\` are those below, \`detail\` says what went wrong this time, \`feedback\`
names the fields or the subject. Give \`request_id\` when you report a failure. If there is a \`Retry-After\`, the same request may be
sent again after that many seconds. The reference (\`GET /docs\` of a running server) says which codes each endpoint can answer.

Made from \`api/http/errors.ts\` by \`npm run docs:errors\`; a test keeps both the same.
`;

/** The list of errors as a page: by status, each code with its title and what to do about it. */
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
