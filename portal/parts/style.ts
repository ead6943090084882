/** The style of all pages. The vendor's colour comes from a second sheet: `theme.ts`. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ink: #1a1f26; --soft: #566070; --line: #dfe3e8; --control: #7b8594; --paper: #ffffff; --ground: #f6f7f9; --hover: #eef0f3;
  --accent: #1f6f54; --on-accent: #ffffff; --accent-ink: #1f6f54;
  --good: #14603f; --good-soft: #e2f3ea; --warn: #7a4300; --warn-soft: #fdf1df; --bad: #9b1c1c; --bad-soft: #fdeaea;
  --second: #0b7d73; --third: #7d52c4; --less: #b85c00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e8ecf1; --soft: #a6b0bd; --line: #2f3843; --control: #7d8896; --paper: #1a1f26; --ground: #12161b; --hover: #252c35;
    --accent: #7fd1b0; --on-accent: #000000; --accent-ink: #7fd1b0;
    --good: #8fdcb4; --good-soft: #14342a; --warn: #f2c078; --warn-soft: #3a2a12; --bad: #ffa8a3; --bad-soft: #421c1c;
    --second: #58c9bb; --third: #c4a7f7; --less: #f0a35e;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
h1, h2, h3 { line-height: 1.25; letter-spacing: -.01em; margin: 0; text-wrap: balance; }
:is(h1, h2, h3, dt, li, label, legend, .up), .actions :is(button, .button) { overflow-wrap: anywhere; min-width: 0; }
h1 { font-size: 1.625rem; } h2 { font-size: 1.125rem; } h3 { font-size: .9375rem; margin: 1.5rem 0 .5rem; }
p { margin: .5rem 0; max-width: 40rem; overflow-wrap: anywhere; }
a { color: var(--accent-ink); text-underline-offset: .2em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent-ink); outline-offset: 2px; border-radius: 4px; }
.soft { color: var(--soft); }
.small { font-size: .875rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: .75rem; top: .75rem; padding: .6rem 1rem; background: var(--paper); border-radius: 6px; transform: translateY(-200%); z-index: 1; }
.skip:focus { transform: none; }

.bar { background: var(--paper); border-bottom: 1px solid var(--line); border-top: 4px solid var(--accent); }
.inner { max-width: 60rem; margin: 0 auto; padding: 0 1.25rem; }
.brand { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem; padding-top: 1rem; padding-bottom: .75rem; }
.brand .vendor { display: flex; align-items: center; gap: .75rem; margin: 0; font-weight: 650; font-size: 1.0625rem; min-width: 0; overflow-wrap: anywhere; }
.brand img { display: block; height: 2rem; width: auto; max-width: 10rem; object-fit: contain; }
.brand .acts { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.5rem; list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .6rem 0 .55rem; color: var(--soft); text-decoration: none; border-bottom: 3px solid transparent; font-weight: 500; }
nav a:hover { color: var(--ink); }
nav a[aria-current] { color: var(--ink); border-bottom-color: var(--accent-ink); }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
main.narrow { max-width: 38rem; }
main:focus { outline: none; }
.title { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: center; justify-content: space-between; margin-bottom: 1.5rem; }
.up::before { content: '← '; content: '← ' / ''; }
.up { display: inline-block; margin-bottom: .5rem; padding: .15rem 0; font-size: .9375rem; }
footer { max-width: 57.5rem; margin: 0 auto; padding: 1.25rem 0 3rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .875rem; display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: center; justify-content: space-between; }
footer ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0; padding: 0; }
footer a { display: inline-block; padding: .2rem 0; }

section { background: var(--paper); border: 1px solid var(--line); border-radius: 12px; padding: 1.5rem; margin: 0 0 1.25rem; }
section > :last-child { margin-bottom: 0; }
.head { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; justify-content: space-between; margin-bottom: 1rem; }
.figure { font-size: 1.5rem; font-weight: 650; letter-spacing: -.02em; font-variant-numeric: tabular-nums; margin: 0; }
.badge { display: inline-block; font-size: .8125rem; font-weight: 600; line-height: 1.4; padding: .1rem .6rem; border-radius: 999px; background: var(--hover); color: var(--ink); white-space: nowrap; }
.badge.good { background: var(--good-soft); color: var(--good); }
.badge.wait { background: var(--warn-soft); color: var(--warn); }
.badge.bad { background: var(--bad-soft); color: var(--bad); }
.note { background: var(--hover); border-left: 4px solid var(--control); border-radius: 8px; padding: .85rem 1rem; margin: 0 0 1.25rem; max-width: none; }
.note.good { background: var(--good-soft); color: var(--good); border-color: currentColor; }
.note.wait { background: var(--warn-soft); color: var(--warn); border-color: currentColor; }
.note.bad { background: var(--bad-soft); color: var(--bad); border-color: currentColor; }
.note a { color: inherit; }
.note :is(h2, p, ul) { margin: 0; } .note ul { padding-left: 1.25rem; }

dl { display: grid; grid-template-columns: minmax(9rem, auto) 1fr; gap: .5rem 1.5rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
p + :is(dl, table) { margin-top: 1rem; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; }
th, td { text-align: left; padding: .7rem 1rem .7rem 0; border-bottom: 1px solid var(--line); vertical-align: baseline; overflow-wrap: anywhere; }
:is(th, td):last-child { padding-right: 0; }
thead th { color: var(--soft); font-weight: 500; font-size: .875rem; padding-top: 0; }
tbody th { font-weight: 500; }
tbody tr:last-child > * { border-bottom: 0; padding-bottom: 0; }
tfoot :is(th, td) { border-bottom: 0; border-top: 1px solid var(--line); font-weight: 650; }
:is(td, th).number { text-align: right; white-space: nowrap; overflow-wrap: normal; }
:is(td, th) > a { display: inline-block; padding: .05rem 0; baseline-source: first; }

button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.5rem; font: inherit; font-weight: 550; line-height: 1.25; color: var(--ink); background: var(--paper); border: 1px solid var(--control); border-radius: 8px; padding: .4rem 1rem; cursor: pointer; text-decoration: none; text-align: center; }
:is(button, .button):hover { background: var(--hover); }
:is(button, .button).main { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
:is(button, .button).main:hover { box-shadow: inset 0 0 0 99px rgb(0 0 0 / .08); }
:is(button, .button).bad { color: var(--bad); border-color: currentColor; }
:is(button, .button).small { min-height: 2rem; padding: .2rem .75rem; font-size: .875rem; font-weight: 500; }
td .badge { white-space: normal; overflow-wrap: normal; border-radius: .75rem; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; align-items: center; }
td .actions { margin-top: 0; gap: .5rem; }
form { margin: 0; }
.field { margin: 0 0 1.25rem; max-width: 28rem; }
.field label, legend { display: block; font-weight: 550; margin-bottom: .3rem; padding: 0; }
.field .hint { margin: 0 0 .35rem; color: var(--soft); font-size: .875rem; }
.field .error { margin: 0 0 .35rem; color: var(--bad); font-weight: 550; font-size: .9375rem; }
input:is([type=text], [type=email], [type=number], [type=tel], :not([type])), select, textarea { width: 100%; min-height: 2.75rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--control); border-radius: 8px; padding: .5rem .75rem; }
[aria-invalid=true] { border-color: var(--bad); border-width: 2px; }
.pair { display: grid; grid-template-columns: 10rem 1fr; gap: 0 1rem; align-items: end; max-width: 28rem; }
fieldset { border: 0; margin: 0 0 1.25rem; padding: 0; min-width: 0; }
.choice { overflow-wrap: anywhere; display: grid; grid-template-columns: auto 1fr auto; gap: .1rem .85rem; align-items: center; padding: 1rem; border: 1px solid var(--line); border-radius: 10px; margin: 0 0 .75rem; cursor: pointer; }
.choice:has(:checked) { border-color: var(--accent-ink); box-shadow: inset 0 0 0 1px var(--accent-ink); }
.choice:has(:focus-visible) { outline: 3px solid var(--accent-ink); outline-offset: 2px; }
:is(input[type=radio], input[type=checkbox]) { width: 1.25rem; height: 1.25rem; accent-color: var(--accent-ink); margin: 0; flex: none; }
.stepper { display: flex; gap: .5rem; max-width: 14rem; }
.stepper button { flex: none; width: 2.75rem; min-height: 2.75rem; padding: 0; font-size: 1.25rem; }
.stepper button[hidden] { display: none; }
.stepper input { text-align: center; font-variant-numeric: tabular-nums; }
.stepper:has(button:not([hidden])) input { appearance: textfield; }
.stepper:has(button:not([hidden])) input::-webkit-inner-spin-button { appearance: none; margin: 0; }
.plans { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1.25rem; margin: 0 0 1.25rem; align-items: start; }
.plans section { margin: 0; }
.plans h3 { margin: 0 0 1rem; font-size: 1.125rem; }
.group { margin: 2rem 0 1rem; }
.intro { margin: 0 0 1.25rem; }
.lines th { font-weight: 400; }
.included { list-style: none; margin: 1rem 0; padding: 0; }
.included li { padding: .35rem 0 .35rem 1.5rem; position: relative; overflow-wrap: anywhere; }
.included li::before { content: "✓"; position: absolute; left: 0; color: var(--accent-ink); }
.sums { grid-template-columns: 1fr auto; margin-top: 1rem; padding-top: 1rem; border-top: 1px solid var(--line); font-variant-numeric: tabular-nums; }
.sums dd { text-align: right; white-space: nowrap; }
.sums :is(dt, dd).total { font-weight: 650; color: var(--ink); }
progress, meter { width: 100%; height: .625rem; display: block; }

.columns { display: grid; gap: 0 1.25rem; align-items: start; }
.columns > div { min-width: 0; }
.links { display: flex; flex-wrap: wrap; gap: .35rem 1.25rem; margin-top: 1rem; }
.links a { padding: .1rem 0; }
.price { color: var(--soft); margin-top: -.5rem; }
.note.scheduled { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; }
.badges { display: flex; flex-wrap: wrap; gap: .3rem .35rem; }
.together, td .button { white-space: nowrap; overflow-wrap: normal; }
thead th { overflow-wrap: normal; }
.lead { margin-bottom: 1rem; } .soft + dl { margin-top: 1rem; }
.note p { max-width: none; } .note .button { color: var(--on-accent); }
:is(td, th) .small { margin: .15rem 0 0; font-weight: 400; }
td .button.small { margin: .4rem 0 0; }
.tabs ul { gap: 0 1.25rem; margin-bottom: 1.25rem; border-bottom: 1px solid var(--line); }
dl.narrow { grid-template-columns: 1fr; gap: 0; } dl.narrow dd { margin-bottom: .6rem; }
.usage { list-style: none; margin: 1.25rem 0 0; padding: 0; display: grid; gap: 1rem; }
.usage p { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; margin: 0 0 .35rem; max-width: none; }
.usage-words { color: var(--soft); font-variant-numeric: tabular-nums; }
.usage-bar { display: block; overflow: hidden; border-radius: 5px; }
.usage-whole { fill: var(--line); } .usage-used { fill: var(--accent-ink); }
figure { margin: 1.5rem 0 0; }
figcaption { font-weight: 550; margin-bottom: .5rem; }
.plot { display: block; overflow: visible; }
.plot-main { --tone: var(--accent-ink); } .plot-second { --tone: var(--second); } .plot-third { --tone: var(--third); } .plot-less { --tone: var(--less); } .plot-loss { --tone: var(--bad); }
.plot-bar { stroke: var(--tone); } .plot-bar:not(.plot-running) { fill: var(--tone); }
.plot-hatch rect { fill: var(--paper); } .plot-hatch line { stroke: var(--tone); stroke-width: 5; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0 0 .75rem; padding: 0; font-size: .875rem; color: var(--soft); } .legend svg { vertical-align: -1px; }
.plot-line { stroke: var(--line); } .plot-base { stroke: var(--control); }
.plot-axis { fill: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; }
summary { cursor: pointer; padding: .25rem 0; color: var(--accent-ink); width: fit-content; }
details > table { margin-top: .5rem; }
.history { list-style: none; margin: 0; padding: 0; }
.history li { display: grid; grid-template-columns: 13rem 1fr; gap: 0 1rem; padding: .5rem 0; border-bottom: 1px solid var(--line); }
.history li:last-child { border-bottom: 0; padding-bottom: 0; }
.history time { color: var(--soft); font-variant-numeric: tabular-nums; }
@media (min-width: 60rem) { .columns { grid-template-columns: minmax(0, 1fr) 17rem; } }

@media (max-width: 60rem) { footer { margin: 0 1.25rem; } }
@media (max-width: 40rem) {
  main { padding-top: 1.5rem; }
  h1 { font-size: 1.4375rem; }
  section { padding: 1.15rem; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .75rem; } dl > dd:last-child { margin-bottom: 0; }
  .sums { grid-template-columns: 1fr auto; gap: .35rem 1rem; } .sums dd { margin: 0; }
  .wide { display: none; }
  .actions > *, .actions > form > button { width: 100%; }
  .pair { grid-template-columns: 1fr; }
  .tabs { overflow-x: auto; } .tabs ul { flex-wrap: nowrap; white-space: nowrap; } .bar ul { gap: 0 1.15rem; } .bar nav a { padding: .45rem 0 .4rem; }
  .history li { grid-template-columns: 1fr; }
  .plot-minor { display: none; }
  table.cards td[data-label]::before { flex: none; }
  .badges { justify-content: end; }
  table.cards, table.cards :is(tbody, tr, th, td) { display: block; }
  table.cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table.cards tr { padding: .75rem 0; border-bottom: 1px solid var(--line); }
  table.cards tbody tr:first-child { padding-top: 0; }
  table.cards tbody tr:last-child { border-bottom: 0; padding-bottom: 0; }
  table.cards :is(th, td) { display: flex; justify-content: space-between; align-items: start; gap: 1rem; border: 0; padding: .15rem 0; text-align: right; white-space: normal; }
  table.cards tbody th { font-weight: 650; text-align: left; }
  table.cards td[data-label]::before { content: attr(data-label); color: var(--soft); text-align: left; flex: none; max-width: 50%; }
  table.cards td:empty { display: none; }
}
@media (max-width: 20rem) {
  .inner, main { padding-left: .75rem; padding-right: .75rem; }
  section { padding: .9rem; }
  .badge, .together, td .button { white-space: normal; overflow-wrap: anywhere; }
  .sums { grid-template-columns: 1fr; } .sums dd { text-align: right; white-space: normal; }
  .choice { grid-template-columns: auto 1fr; }
  .stepper button { width: 2rem; } .stepper input { min-width: 0; padding: .5rem .25rem; }
  table.cards :is(th, td) { flex-wrap: wrap; } :is(td, th).number { overflow-wrap: anywhere; }
}
button[aria-disabled] { opacity: .65; cursor: progress; }
@media (prefers-reduced-motion: no-preference) { a, button, .button { transition: background-color .12s, border-color .12s; } }
@media print { .bar nav, .acts, footer, .actions { display: none; } body { background: none; } section { border: 0; padding: 0; } }
`;
