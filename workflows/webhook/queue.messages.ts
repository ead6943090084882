/**
 * The task queue of deliveries, apart from that of their workflows: a slow receiver takes a place among deliveries and
 * no other.
 */
export const deliveryQueue = (taskQueue: string): string => `${taskQueue}-delivery`;
