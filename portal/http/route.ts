import type { Form } from './form.ts';
import type { PortalResponse } from './response.ts';
import type { Visit } from './visit.ts';

/** One address of the portal for a signed-in customer. */
export type PortalRoute =
  | { readonly method: 'get'; readonly path: string; readonly show: (visit: Visit) => Promise<PortalResponse> | PortalResponse }
  | {
      readonly method: 'post';
      readonly path: string;
      readonly act: (visit: Visit, form: Form) => Promise<PortalResponse> | PortalResponse;
    };

/** A path, whatever its parts are called: `/contract/:`. */
export const routeShape = (path: string): string => path.replaceAll(/:\w+/g, ':');

/** A page that shows something. `path` follows `/portal`, with names for its parts: `/contract/:id`. */
export const onGet = (path: string, show: (visit: Visit) => Promise<PortalResponse> | PortalResponse): PortalRoute => ({
  method: 'get',
  path,
  show,
});

/** An act: it runs only for a form of this session's own page, and so many times a minute. */
export const onPost = (path: string, act: (visit: Visit, form: Form) => Promise<PortalResponse> | PortalResponse): PortalRoute => ({
  method: 'post',
  path,
  act,
});
