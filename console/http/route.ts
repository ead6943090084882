import type { Form } from '../../portal/http/form.ts';
import type { ConsoleResponse } from './response.ts';
import type { Visit } from './visit.ts';

type Show = (visit: Visit) => Promise<ConsoleResponse> | ConsoleResponse;
type Act = (visit: Visit, form: Form) => Promise<ConsoleResponse> | ConsoleResponse;

/** One address of the console for somebody who is signed in. */
export type ConsoleRoute =
  | { readonly method: 'get'; readonly path: string; readonly show: Show }
  | { readonly method: 'post'; readonly path: string; readonly act: Act };

/** A page that shows something. `path` follows `/console`, with names for its parts: `/customer/:id`. */
export const onGet = (path: string, show: Show): ConsoleRoute => ({ method: 'get', path, show });
