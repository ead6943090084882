import { z } from 'zod';
import { undo } from '../../services/contract/undo.ts';
import { ids } from '../example/ids.ts';
import type { ErrorCode } from '../http/errors.ts';
import { type Route, route } from '../http/route.ts';
import { ContractId, Nothing } from '../schema/common.ts';
import { decisionErrors } from './decision-errors.ts';

/** What differs between the two routes that take back a scheduled cancellation or change. */
interface UndoRouteOptions extends Pick<Route, 'operationId' | 'summary' | 'description'> {
  kind: Parameters<typeof undo>[2];
  /** The refusal when nothing is scheduled. */
  nothingWaits: ErrorCode;
}

/** A route without a body; its response is the contract's id, which stays the same. */
export const undoRoute = ({ kind, nothingWaits, ...named }: UndoRouteOptions): Route =>
  route({
    ...named,
    method: 'post',
    path: `/v1/c/contract/{contract_id}/${kind}`,
    tag: 'Contracts',
    scope: 'full',
    params: z.object({ contract_id: ContractId }),
    body: Nothing,
    bodyOptional: true,
    response: { 200: ContractId },
    errors: [...decisionErrors, nothingWaits],
    example: { body: {}, response: ids.contract },
    queue: (params) => params.contract_id,
    write: async ({ vendor, params, tx }) => {
      await undo(tx, { vendorId: vendor, contractId: params.contract_id }, kind);
      return params.contract_id;
    },
  });
