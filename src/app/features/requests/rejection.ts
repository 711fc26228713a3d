export interface Status {
  kind?: string
  reason?: string
  message?: string
  details?: { causes?: { reason?: string; field?: string; message?: string }[] }
}

/** Without causes that only repeat the message. */
export function ownCauses({ message = '', details }: Status) {
  return (details?.causes ?? []).filter(
    (cause) => cause.field || !message.includes(cause.message ?? ''),
  )
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
