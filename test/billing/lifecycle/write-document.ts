import { writeFileSync } from 'node:fs';
import { machines, renderDocument } from '../../../billing/lifecycle/diagram.ts';

// `npm run docs:lifecycle`: makes docs/lifecycle.md from the tables
writeFileSync(new URL('../../../docs/lifecycle.md', import.meta.url), renderDocument(machines));
