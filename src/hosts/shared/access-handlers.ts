import type { QueryAttributes } from '../../engine/authorization/access-queries/types'
import type { ApiServer } from '../../engine/server/server'
import type { AuditEvent } from '../../engine/telemetry/audit/event'
import { attributesOf } from '../../engine/telemetry/audit/request-attributes'
import type { AccessRequests } from './access'

export type AccessHandlers = {
  [Kind in keyof AccessRequests]: (
    query: AccessRequests[Kind]['request'],
  ) => Promise<AccessRequests[Kind]['response']>
}

export function accessHandlersOf(running: () => Promise<ApiServer>): AccessHandlers {
  const access = async () => {
    const server = await running()
    await server.ready()
    return server.access
  }
  return {
    accessAuthorizers: async () => (await access()).authorizers(),
    accessMatrix: async (query) => (await access()).matrix(query),
    accessExplain: async (query) => (await access()).explain(query),
    accessWhoCan: async (query) => (await access()).whoCan(query),
    accessLeastRoles: async (query) =>
      (await access()).leastRoles({ ...query, requests: withEvents(query) }),
    accessStillDenied: async (query) =>
      (await access()).stillDenied({ ...query, requests: withEvents(query) }),
    accessWarnings: async (query) => (await access()).warnings(query),
  }
}

/** Audit events follow the requests. */
const withEvents = ({
  requests,
  events = [],
}: {
  requests: readonly QueryAttributes[]
  events?: readonly AuditEvent[]
}) => [...requests, ...events.map(attributesOf)]
