/** A list of one page, or of none. */
export const pageOf = <T>(hits: T[]) => ({
  current_page: 1,
  hits,
  total: hits.length,
  total_pages: hits.length === 0 ? 0 : 1,
  backward: null,
  first: hits.length === 0 ? null : 'WyJmb3J3YXJkIix7ImZyb20iOiJoZWFkIn1d.m5ONranMn9v71syKQkn4tg',
  forward: null,
  last: hits.length === 0 ? null : 'WyJmb3J3YXJkIix7ImZyb20iOiJ0YWlsIn1d.ATjgmfC41M8tsWcVrxKWVw',
});
