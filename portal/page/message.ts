import { html, page } from './html.ts';

const message = (title: string, text: string): string => page(title, html`<section><h1>${title}</h1><p>${text}</p></section>`);

/** The page behind a link to the portal; its button posts to `action`, which opens the portal. */
export const enterPage = (action: string): string =>
  page(
    'Your account',
    html`<section><h1>Your account</h1><p>Your plan, usage and invoices.</p>
<form method="post" action="${action}"><button type="submit">Continue</button></form></section>`,
  );

export const expiredLinkPage = (): string =>
  message(
    'This link can no longer be used',
    'A link opens the portal once, within five minutes. Please go back to where you came from and open the portal again.',
  );

export const endedPage = (): string =>
  message(
    'You are not signed in',
    'Your visit has ended, or it was idle for more than an hour. Please open the portal again from where you came.',
  );

export const notFoundPage = (): string => message('There is no such page', 'Please check the address.');

export const tooManyRequestsPage = (): string =>
  message(
    'Too many requests',
    'Many pages were asked for from where you are within a minute. Please wait a minute and open your link again.',
  );

export const tooManyDownloadsPage = (): string =>
  message('Too many downloads', 'You have downloaded many invoices within a minute. Please wait a minute and try again.');
