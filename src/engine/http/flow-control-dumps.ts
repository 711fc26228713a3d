/** See kubernetes.io, "API Priority and Fairness", "Debug endpoints". Requests never queue here. */

import { largest } from '../core/lists'
import type { KubeObject } from '../core/object'
import type { Engine } from '../registry/engine'
import type { ApiResponse } from './messages'
import { plainText } from './respond'

const ROOT = '/debug/api_priority_and_fairness/'
const NARROWEST = 8

interface Level extends KubeObject {
  spec?: { limited?: { limitResponse?: { queuing?: { queues?: number } | null } } | null }
}

export async function flowControlDump(
  engine: Engine,
  path: string,
): Promise<ApiResponse | undefined> {
  if (!path.startsWith(ROOT)) return undefined
  const levels = (await engine.flows.storedLevels()) as readonly Level[]
  switch (path.slice(ROOT.length)) {
    case 'dump_priority_levels':
      return table([PRIORITY_LEVELS, ...levels.map((level) => levelRow(engine, level))])
    case 'dump_queues':
      return table([QUEUES, ...levels.flatMap(queueRows)])
    case 'dump_requests':
      return table([REQUESTS])
    default:
      return undefined
  }
}

const PRIORITY_LEVELS = [
  'PriorityLevelName',
  'ActiveQueues',
  'IsIdle',
  'IsQuiescing',
  'WaitingRequests',
  'ExecutingRequests',
  'DispatchedRequests',
  'RejectedRequests',
  'TimedoutRequests',
  'CancelledRequests',
]

function levelRow({ flows }: Engine, { metadata: { name = '' } }: Level): string[] {
  let executing = 0
  let dispatched = 0
  for (const tally of flows.counted()) {
    if (tally.level !== name) continue
    executing += tally.executing
    dispatched += tally.dispatched
  }
  return [name, 0, executing === 0, false, 0, executing, dispatched, 0, 0, 0].map(String)
}

const QUEUES = [
  'PriorityLevelName',
  'Index',
  'PendingRequests',
  'ExecutingRequests',
  'SeatsInUse',
  'NextDispatchR',
  'InitialSeatsSum',
  'MaxSeatsSum',
  'TotalWorkSum',
]
const NO_WORK = '0.00000000ss'

function queueRows({ metadata: { name = '' }, spec }: Level): string[][] {
  const queues = spec?.limited?.limitResponse?.queuing?.queues ?? 0
  return Array.from({ length: queues }, (_, index) => [
    name,
    `${index}`,
    '0',
    '0',
    '0',
    NO_WORK,
    '0',
    '0',
    NO_WORK,
  ])
}

const REQUESTS = [
  'PriorityLevelName',
  'FlowSchemaName',
  'QueueIndex',
  'RequestIndexInQueue',
  // Spelled as in kube-apiserver.
  'FlowDistingsher',
  'ArriveTime',
  'InitialSeats',
  'FinalSeats',
  'AdditionalLatency',
  'StartTime',
]

function table(rows: readonly (readonly string[])[]): ApiResponse {
  const widths = (rows[0] ?? []).map((_, column) =>
    largest(
      rows.map((row) => (row[column] ?? '').length + 2),
      NARROWEST,
    ),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === row.length - 1 ? cell : `${cell},`.padEnd(widths[column] ?? 0),
      )
      .join('')
  return plainText(200, rows.map((row) => `${line(row)}\n`).join(''))
}
