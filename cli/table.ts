/**
 * Rows as lines, each column as wide as its widest cell.
 *
 * @example table([['a', 'b'], ['long', 'c']]) // ['a     b', 'long  c']
 */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) => row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widthOf(column)))).join('  '));
}
