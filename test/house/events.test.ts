import { EVENT_TYPES } from '../../billing/event-types.ts';
import { read, sourceFiles } from './sources.ts';

const PRODUCT = /^(?!test\/|bench\/|billing\/event-types\.ts)/;

describe('the types of events', () => {
  it('stand on their page, in the order of the list and each with its sentence', () => {
    const rows = [...read('docs/events.md').matchAll(/^\| `(v1\.[a-z_.]+)` \| [^|]+ \| (.+) \|$/gm)];
    expect(rows.map(([, type, tells]) => [type, tells])).toEqual(Object.entries(EVENT_TYPES));
  });

  it('are those that the code and its SQL name, no more and no fewer', () => {
    const texts = sourceFiles()
      .filter((path) => PRODUCT.test(path))
      .map(read);
    const named = texts.flatMap((text) => [...text.matchAll(/'(v1\.[a-z_]+(?:\.[a-z_]+)+)'/g)].map(([, type]) => type));
    expect([...new Set([...named, ...FROZEN])].sort()).toEqual(Object.keys(EVENT_TYPES).sort());
  });
});

/** Named by the arrow that leads there: `v1.customer.${kind}`. */
const FROZEN = ['v1.customer.frozen', 'v1.customer.activated'];
