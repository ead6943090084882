import { readPortalSettings } from '../../services/preferences/portal.ts';
import { examplePortal } from '../example/preferences.ts';
import { route } from '../http/route.ts';
import { PortalPreferences } from '../schema/portal.ts';
import { portalToWire } from '../wire/portal.ts';

export const getPortalRoute = route({
  method: 'get',
  path: '/v1/c/preferences/portal',
  operationId: 'get_portal_preferences',
  tag: 'Preferences',
  summary: 'Read the portal preferences',
  description: 'In the shape of the update, so that they can be changed and sent back.',
  scope: 'read',
  response: { 200: PortalPreferences },
  errors: [],
  example: { response: examplePortal },
  run: async ({ vendor }, { db }) => portalToWire(await readPortalSettings(db.em(), vendor)),
});
