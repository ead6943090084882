import { defaultPayloadConverter } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import type { Schedule } from '../../workflows/messages.ts';

export type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/**
 * An activity of a chain's workflow as operators find it in the history: its type, and where the chain stood
 * afterwards.
 */
export interface Step {
  activity: string;
  schedule: Schedule;
}

/** The activities that have ended well, in order, whether they ran within a workflow task or as normal activities. */
export function stepsOf(events: readonly HistoryEvent[]): Step[] {
  const scheduled = new Map<string, string>();
  return events.flatMap((event): Step[] => {
    const { markerRecordedEventAttributes: marker, activityTaskScheduledEventAttributes: asked } = event;
    if (asked != null) scheduled.set(String(event.eventId), asked.activityType?.name ?? '');
    const { activityTaskCompletedEventAttributes: ended } = event;
    if (ended != null) {
      const activity = scheduled.get(String(ended.scheduledEventId)) ?? '';
      return [{ activity, schedule: read<Schedule>(ended.result?.payloads?.[0]) }];
    }
    if (marker?.markerName !== 'core_local_activity' || marker.failure != null) return [];
    const { activity_type } = read<{ activity_type: string }>(marker.details?.data?.payloads?.[0]);
    return [{ activity: activity_type, schedule: read<Schedule>(marker.details?.result?.payloads?.[0]) }];
  });
}

function read<T>(payload: temporal.api.common.v1.IPayload | null | undefined): T {
  if (payload == null) throw new Error('the history has no payload here');
  return defaultPayloadConverter.fromPayload<T>(payload);
}
