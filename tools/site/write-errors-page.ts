import { writeFileSync } from 'node:fs';
import { errorsPage } from './errors-page.ts';

// `npm run docs:errors`: makes docs/errors.md from the list of errors
writeFileSync(new URL('../../docs/errors.md', import.meta.url), errorsPage());
