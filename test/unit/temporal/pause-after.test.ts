import { pauseAfter } from '../../../temporal/failure.ts';

test('a message that is refused is sent again after 1, 2, 4 … seconds and at last every 5 minutes; one nobody answered every 15 seconds', () => {
  expect([1, 2, 3, 4, 9, 10, 30].map((tries) => pauseAfter(tries, false) / 1000)).toEqual([1, 2, 4, 8, 256, 300, 300]);
  expect([1, 2, 3, 4, 5, 30].map((tries) => pauseAfter(tries, true) / 1000)).toEqual([1, 2, 4, 8, 15, 15]);
});
