import { createHash } from 'node:crypto';

export const STYLE = `
:root { --ink: #1b2430; --soft: #5b6676; --line: #dde2e8; --paper: #ffffff; --ground: #f4f6f8; --accent: #1f6f54; --accent-soft: #e3f1eb; --warn: #8a4b00; --warn-soft: #fdf0dd; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ecf1; --soft: #a3aebb; --line: #303a46; --paper: #1a2129; --ground: #11161c; --accent: #7fd1b0; --accent-soft: #17352b; --warn: #f2c078; --warn-soft: #3a2a12; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: baseline; justify-content: space-between; margin-bottom: 1.75rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0; letter-spacing: -.01em; }
h2 { font-size: 1.15rem; margin: 0; }
h3 { font-size: .95rem; margin: 1.4rem 0 .4rem; }
p { margin: .35rem 0; }
.soft { color: var(--soft); }
.vendor { margin: 0 0 .25rem; color: var(--soft); font-size: .9rem; }
section { background: var(--paper); border: 1px solid var(--line); border-radius: 12px; padding: 1.35rem 1.5rem; margin: 0 0 1.1rem; }
.head { display: flex; flex-wrap: wrap; gap: .35rem .9rem; align-items: center; justify-content: space-between; margin-bottom: .6rem; }
.badge { font-size: .8rem; font-weight: 600; padding: .1rem .6rem; border-radius: 999px; background: var(--accent-soft); color: var(--accent); }
.badge.wait { background: var(--warn-soft); color: var(--warn); }
.notice { background: var(--warn-soft); color: var(--warn); border-radius: 10px; padding: .7rem 1rem; margin: 0 0 1.1rem; }
dl { display: grid; grid-template-columns: minmax(8.5rem, auto) 1fr; gap: .3rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; }
th, td { text-align: left; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { color: var(--soft); font-weight: 500; font-size: .85rem; }
tbody th { font-weight: 500; }
tbody tr:last-child > * { border-bottom: 0; }
td.number, th.number { text-align: right; padding-right: 0; padding-left: .75rem; white-space: nowrap; }
@media (max-width: 34rem) { .wide { display: none; } }
.scroll { overflow-x: auto; }
button { font: inherit; color: var(--ink); background: transparent; border: 1px solid var(--line); border-radius: 8px; padding: .3rem .8rem; cursor: pointer; }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

/** Lets the content security policy accept this style and no other. */
export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;
