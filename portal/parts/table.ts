import { type Html, html } from './html.ts';

/** A column of a table. */
export interface TableColumn {
  readonly title: string;
  /** numbers stand at the right */
  readonly number?: boolean;
  /** the title is for screen readers alone, as above a column of buttons */
  readonly hideTitle?: boolean;
}

type Cell = Html | string | null;

interface TableParts {
  /** id of the heading that names the table */
  readonly labelledBy: string;
  readonly columns: readonly TableColumn[];
  /** the first cell of a row is its heading */
  readonly rows: readonly (readonly Cell[])[];
}

/** A table that a phone shows as a list: each row a block, each cell with its column's title. */
export function table({ labelledBy, columns, rows }: TableParts): Html {
  return html`<table class="cards" role="table" aria-labelledby="${labelledBy}">
<thead role="rowgroup"><tr role="row">${columns.map(headCell)}</tr></thead>
<tbody role="rowgroup">${rows.map((cells) => row(columns, cells))}</tbody></table>
`;
}

const headCell = ({ title, number, hideTitle }: TableColumn): Html =>
  html`<th role="columnheader" scope="col"${classNumber(number)}>${hideTitle ? html`<span class="hidden">${title}</span>` : title}</th>`;

const row = (columns: readonly TableColumn[], cells: readonly Cell[]): Html =>
  html`<tr role="row">${cells.map((cell, at) => bodyCell(columns[at], cell, at === 0))}</tr>`;

function bodyCell(column: TableColumn | undefined, cell: Cell, isHeading: boolean): Html {
  if (isHeading) return html`<th role="rowheader" scope="row">${cell}</th>`;
  const label = column === undefined || column.hideTitle ? null : html` data-label="${column.title}"`;
  return html`<td role="cell"${classNumber(column?.number)}${label}>${cell}</td>`;
}

const classNumber = (number: boolean | undefined): Html | null => (number ? html` class="number"` : null);
