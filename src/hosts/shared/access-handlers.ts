/** The host's handlers of the page's access queries. */
import type { QueryAttributes } from '../../engine/authorization/access-queries/types'
import type { ApiServer } from '../../engine/server'
import type { AuditEvent } from '../../engine/telemetry/audit/event'
import { attributesOf } from '../../engine/telemetry/audit/request-attributes'
import type { AccessRequests } from './access'

export type AccessHandlers = {
  [Kind in keyof AccessRequests]: (
    ask: AccessRequests[Kind]['request'],
  ) => Promise<AccessRequests[Kind]['response']>
}

/** @param running returns the current server */
export function accessHandlersOf(running: () => Promise<ApiServer>): AccessHandlers {
  const access = async () => {
    const server = await running()
    await server.ready()
    return server.access
  }
  return {
    accessAuthorizers: async () => (await access()).authorizers(),
    accessMatrix: async (ask) => (await access()).matrix(ask),
    accessExplain: async (ask) => (await access()).explain(ask),
    accessWhoCan: async (ask) => (await access()).whoCan(ask),
    accessLeastRoles: async (ask) =>
      (await access()).leastRoles({ ...ask, requests: withEvents(ask) }),
    accessStillRefused: async (ask) =>
      (await access()).stillDenied({ ...ask, requests: withEvents(ask) }),
    accessWarnings: async (ask) => (await access()).warnings(ask),
  }
}

/** Joins requests with those of audit events, in this order. */
const withEvents = ({
  requests,
  events = [],
}: {
  requests: readonly QueryAttributes[]
  events?: readonly AuditEvent[]
}) => [...requests, ...events.map(attributesOf)]
