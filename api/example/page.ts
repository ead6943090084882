/** A list of one page. */
export const pageOf = <T>(hits: T[]) => ({
  current_page: 1,
  hits,
  total: hits.length,
  total_pages: 1,
  backward: null,
  first: 'WyJmb3J3YXJkIix7ImZyb20iOiJoZWFkIn1d.m5ONranMn9v71syKQkn4tg',
  forward: null,
  last: 'WyJmb3J3YXJkIix7ImZyb20iOiJ0YWlsIn1d.ATjgmfC41M8tsWcVrxKWVw',
});
