import { type Html, html } from './html.ts';

/** A whole page: what stands in its head, and its body. */
interface DocumentParts {
  readonly language: string;
  readonly title: string;
  readonly icon: string;
  /** addresses of style sheets and scripts, as of the icon, all of this origin */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  readonly body: Html;
}

/** A whole HTML document, without inline script or style. */
export function documentOf({ language, title, icon, styles, scripts, body }: DocumentParts): string {
  const { text } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${icon}">
${styles.map((address) => html`<link rel="stylesheet" href="${address}">`)}
${scripts.map((address) => html`<script src="${address}" defer></script>`)}
</head>
<body>
${body}
</body>
</html>
`;
  return text;
}
