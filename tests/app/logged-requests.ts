import type { LoggedRequest } from '../../src/app/state/logged-request'

/** A request of the page, known by the ID of its audit event. */
export const requestWithAudit = (id: string): LoggedRequest =>
  ({ responseHeaders: { 'audit-id': id } }) as Partial<LoggedRequest> as LoggedRequest
