import { writeFileSync } from 'node:fs';
import { machines, renderDocument } from '../billing/lifecycle/diagram.ts';

writeFileSync(new URL('lifecycle.md', import.meta.url), renderDocument(machines));
