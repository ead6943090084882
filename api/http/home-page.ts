/** The page at the bare address: it says what this is and where to go on. */
export const HOME_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Perennial</title><style>body{margin:3rem auto;max-width:36rem;padding:0 1rem;font:16px/1.5 system-ui,sans-serif;color:#1c2330}
a{color:#1a5fb4}</style></head><body><main><h1>Perennial</h1><p>Subscription billing over a REST API.</p>
<ul><li><a href="/docs">The API, to read</a></li><li><a href="/openapi.json">The API as an OpenAPI document</a></li></ul>
<p>Are you a customer who wants to see a subscription or an invoice? Open the link that your vendor gives you: it leads to <a href="/portal">your page</a>.</p>
</main></body></html>`;
