import { z } from 'zod';
import { deleteAlert } from '../../services/usage-alert/set.ts';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { CustomerId, Nothing } from '../schema/common.ts';
import { AlertId } from '../schema/usage-alert.ts';

export const deleteAlertRoute = route({
  method: 'post',
  path: '/v1/c/customer/{customer_id}/alert/{alert_id}/delete',
  operationId: 'delete_usage_alert',
  tag: 'Usage',
  summary: 'Delete an alert on a customer’s usage',
  description: 'It tells of no event that is reported after the response.',
  scope: 'full',
  params: z.object({ customer_id: CustomerId, alert_id: AlertId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: AlertId },
  errors: ['customer_not_found', 'customer_frozen', 'customer_erased', 'clock_advancing', 'alert_not_found'],
  example: { body: {}, response: ids.alert },
  write: async ({ vendor, params, tx }) => {
    await deleteAlert(tx, vendor, params.customer_id, params.alert_id);
    return params.alert_id;
  },
});
