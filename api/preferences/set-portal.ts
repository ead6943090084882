import { changePortalSettings } from '../../services/preferences/portal.ts';
import { examplePortal } from '../example/preferences.ts';
import { route } from '../http/route.ts';
import { PortalRequest } from '../schema/portal.ts';
import { portalFromWire } from '../wire/portal.ts';

export const setPortalRoute = route({
  method: 'post',
  path: '/v1/c/preferences/portal',
  operationId: 'set_portal_preferences',
  tag: 'Preferences',
  summary: 'Update the portal preferences',
  description:
    'How the customers’ portal looks, which plans it offers, and where it may send customers back to. Absent fields are not changed; it counts from the next page on.',
  scope: 'full',
  body: PortalRequest,
  bodyOptional: true,
  response: { 200: null },
  errors: ['plan_not_found', 'plan_archived'],
  example: { body: examplePortal },
  write: async ({ vendor, body, tx }) => {
    await changePortalSettings(tx, vendor, portalFromWire(body));
    return null;
  },
});
