import type Koa from 'koa';

/** What one page may do beyond the others. */
interface PolicyExtras {
  /** where the vendor's logo comes from, as `imageSourceOf` says it */
  readonly imageSource?: string | null;
  /** origins that a form of the page may lead to, because its response redirects there */
  readonly formOrigins?: readonly string[];
}

/** The content security policy: everything from here, nothing inline, in no frame. */
export function policyOf({ imageSource = null, formOrigins = [] }: PolicyExtras = {}): string {
  const from = (...origins: (string | null)[]) => ["'self'", ...origins.filter((origin) => origin !== null)].join(' ');
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${from(imageSource)}`,
    "connect-src 'self'",
    `form-action ${from(...formOrigins)}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Where a logo comes from, as a policy names it: the origin of its URL, or `data:`; null without a logo. */
export function imageSourceOf({ logoUrl }: { logoUrl: string | null }): string | null {
  if (logoUrl === null) return null;
  return logoUrl.startsWith('data:') ? 'data:' : new URL(logoUrl).origin;
}

/** Forbids frames, caches, and a referrer that could contain a token, for every response of the portal. */
export function setSecurityHeaders(ctx: Koa.Context, next: Koa.Next): Promise<unknown> {
  ctx.set({
    'content-security-policy': policyOf(),
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
  });
  return next();
}
