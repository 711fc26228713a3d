export interface Status {
  kind?: string
  reason?: string
  message?: string
  details?: { causes?: { reason?: string; field?: string; message?: string }[] }
}

/** @returns undefined unless the body is a Status with a reason */
export function statusOf(response: string | undefined): Status | undefined {
  try {
    const status = JSON.parse(response ?? '') as Status
    return status.kind === 'Status' && status.reason ? status : undefined
  } catch {
    return undefined
  }
}
