/** What the console's pages need beyond the style that all pages share: more columns, and a place to search from. */
export const CONSOLE_STYLE = `
:root { --accent: #2b4c9b; --on-accent: #ffffff; --accent-ink: #2b4c9b; }
@media (prefers-color-scheme: dark) { :root { --accent: #9db6f5; --on-accent: #000000; --accent-ink: #9db6f5; } }
.inner { max-width: 76rem; } main { max-width: 76rem; } main.narrow { max-width: 30rem; } footer { max-width: 73.5rem; }
.find { display: flex; gap: .5rem; margin: 0; }
.find input { width: 22rem; max-width: 100%; min-width: 0; margin: 0; min-height: 2.5rem; padding: .4rem .75rem; font: inherit; font-size: .9375rem; color: inherit; background: var(--paper); border: 1px solid var(--control); border-radius: 8px; }
.find button { min-height: 2.5rem; padding: .3rem .9rem; }
.id { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .8125rem; color: var(--soft); overflow-wrap: anywhere; user-select: all; }
.title { justify-content: flex-start; } .title h1 { min-width: 0; overflow-wrap: anywhere; }
.title .id { flex-basis: 100%; margin: 0; max-width: none; }
footer p { margin: 0; } footer .acts { display: flex; flex-wrap: wrap; gap: .5rem; } td .id { font-size: .75rem; }
.records { display: flex; flex-wrap: wrap; gap: 1.25rem; }
.records section { margin: 0; min-width: 0; flex: 1 1 20rem; } .records section:first-child { flex-basis: 100%; } .records section:not(:first-child) .plot-minor { display: none; } .records { margin-bottom: 1.25rem; }
.plots { display: grid; gap: 0 2.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); align-items: end; } .plots .plot-minor { display: none; } .plots p { margin: 0; }
.figures { display: flex; flex-wrap: wrap; gap: .75rem 2.5rem; } .figures p { margin: 0; }
.filter { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin-bottom: 1.25rem; }
.filter .field { margin: 0; } .filter .field input { width: 18rem; max-width: 100%; } .filter button { min-height: 2.75rem; }
.units { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: 0 1rem; align-items: end; }
fieldset.priced, fieldset.row { border-top: 1px solid var(--line); padding-top: 1rem; } fieldset .row { border-top: 0; }
pre { margin: .35rem 0 0; padding: .6rem .75rem; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; font: .8125rem/1.45 ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
td pre { text-align: left; }
.secret { font-size: 1rem; user-select: all; }
.checks { max-width: none; } .checks .hint { margin: 0 0 .75rem; color: var(--soft); font-size: .875rem; max-width: none; }
.groups { columns: 17rem; column-gap: 1.5rem; } .groups ul { list-style: none; margin: 0 0 1rem; padding: 0; break-inside: avoid; }
.groups label { display: flex; gap: .5rem; align-items: center; padding: .2rem 0; font-size: .9375rem; overflow-wrap: anywhere; }
.words { margin: .35rem 0 0; padding-left: 1.1rem; font-size: .875rem; color: var(--soft); }
main.narrow section > h2 { margin: 1.75rem 0 .35rem; } main.narrow section > form { margin-top: 1.5rem; }
main.narrow section > h2:first-child, main.narrow section > .sums:first-child { margin-top: 0; } main.narrow section > .sums:first-child { border-top: 0; padding-top: 0; }
.word { overflow-wrap: break-word; } @media (min-width: 40.0625rem) { .moment { white-space: nowrap; } }
@media (min-width: 60rem) { .columns { grid-template-columns: minmax(0, 1fr) 21rem; } .columns > div:last-child .actions { flex-direction: column; align-items: stretch; } }
@media (max-width: 40rem) { .tabs ul { flex-wrap: wrap; } .brand .acts, .find { width: 100%; } .find input { flex: 1; width: auto; } .filter, .filter .field, .filter .field input { width: 100%; } }
`;
