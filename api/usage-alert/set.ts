import { z } from 'zod';
import { setAlert } from '../../services/usage-alert/set.ts';
import { ids } from '../example/ids.ts';
import { exampleAlertRequest } from '../example/usage-alert.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { AlertId, AlertRequest } from '../schema/usage-alert.ts';

export const setAlertRoute = route({
  method: 'post',
  path: '/v1/c/customer/{customer_id}/alert',
  operationId: 'set_usage_alert',
  tag: 'Usage',
  summary: 'Set an alert on a customer’s usage or credits',
  description:
    'Each step is one event `v1.alert.reached` of the customer in each usage period (of a balance: from one grant to the next), written with the usage that reaches it; one that is reached already is announced at once. Nothing is refused.',
  scope: 'full',
  params: z.object({ customer_id: CustomerId }),
  body: AlertRequest,
  response: { 201: AlertId },
  errors: ['customer_not_found', 'customer_frozen', 'customer_erased', 'clock_advancing', 'too_many_alerts'],
  example: { body: exampleAlertRequest, response: ids.alert },
  write: ({ vendor, params, body, tx }) => {
    const { on, feature_slug: slug, at: steps } = body;
    return setAlert(tx, { vendorId: vendor, customerId: params.customer_id, on, slug: slug ?? null, steps });
  },
});
