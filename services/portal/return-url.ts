/** What browsers read differently than it looks: a backslash as a slash, blanks and control characters as nothing. */
const MISLEADING = /[\\\s\p{Cc}\p{Cf}]/u;
/** Browsers take `;` and `,` in a name too, where a content security policy would end; and `*` is no wildcard here. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])$/;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Where a customer may be sent back to: https, or http on the loopback interface, without user name and password. The
 * URL in the form in which browsers open it; null when it is no such URL.
 */
export function returnUrlOf(text: string): URL | null {
  if (MISLEADING.test(text) || !/^https?:\/\/[^/?#@]+([/?#]|$)/i.test(text)) return null;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || !HOST.test(url.hostname)) return null;
  return url.protocol === 'https:' || LOOPBACK.test(url.hostname) ? url : null;
}

/**
 * The URL to send a customer back to, when its origin (scheme, host and port) is that of one of those listed; else
 * null.
 */
export function allowedReturnUrl(text: string, listed: readonly string[]): string | null {
  const url = returnUrlOf(text);
  if (url === null) return null;
  return listed.some((one) => returnUrlOf(one)?.origin === url.origin) ? url.href : null;
}
