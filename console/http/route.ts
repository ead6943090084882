import type { Form } from '../../portal/http/form.ts';
import type { ConsoleResponse } from './response.ts';
import type { Visit } from './visit.ts';

type Show = (visit: Visit) => Promise<ConsoleResponse> | ConsoleResponse;
type Act = (visit: Visit, form: Form) => Promise<ConsoleResponse> | ConsoleResponse;

/** One address of the console for somebody who is signed in. */
export type ConsoleRoute =
  | {
      readonly method: 'get';
      readonly path: string;
      readonly show: Show;
      /** the page asks whether to act: nothing for a key that only reads */
      readonly asks: boolean;
    }
  | {
      readonly method: 'post';
      readonly path: string;
      readonly act: Act;
      /** what the audit log keeps of its form */
      readonly fields: readonly string[];
      /** it changes nothing: the page is shown again with what was typed */
      readonly isDraft?: boolean;
      /** the most bytes that its form may have; as few as portal forms unless given */
      readonly mostBytes?: number;
    };

/** A page that shows something. `path` follows `/console`, with names for its parts: `/customer/:id`. */
export const onGet = (path: string, show: Show): ConsoleRoute => ({ method: 'get', path, show, asks: false });

/**
 * An act: the page that shows its effect and asks, and what its button does.
 *
 * @param fields names of the form's fields that the audit log keeps; one that ends with a dot stands for all that begin
 *   with it. No secret may be among them
 */
export const onAct = (path: string, show: Show, act: Act, fields: readonly string[]): ConsoleRoute[] => [
  { method: 'get', path, show, asks: true },
  { method: 'post', path, act, fields },
];
