/**
 * Texts that later releases word otherwise, as data: rules keep the words of the base release, and each failure gets those of the
 * server's release in one place.
 */
import type { ChangeName, Changes } from '../release-tables/changes'
import { ApiError, type StatusCause } from './status'

interface Rewording {
  change: ChangeName
  /** Only of causes with this reason; absent: the whole message and every cause. */
  reason?: string
  from: RegExp
  to: string
}

const UNREGISTERED =
  /(?<text>no kind (?:"[^"]*" )?is registered for (?:version "[^"]*"|the [^"]*(?:"[^"]*")?) ?in scheme "pkg\/runtime\/scheme\.go:)\d+(?=")/g

/** In order: a later one words what an earlier one has made. */
const REWORDINGS: readonly Rewording[] = [
  {
    change: 'TooLongNamesBytes',
    reason: 'FieldValueTooLong',
    from: /^Too long: (?:must have at most|may not be longer than) (\d+)(?: bytes)?$/,
    to: 'Too long: may not be more than $1 bytes',
  },
  { change: 'SchemeErrorsAtLine110', from: UNREGISTERED, to: '$<text>110' },
  { change: 'SchemeErrorsAtLine111', from: UNREGISTERED, to: '$<text>111' },
]

/** The failure in the words of a release. @returns the same error where nothing is worded otherwise */
export function worded(error: ApiError, changes: Changes): ApiError {
  if (changes.size === 0) return error
  let { status } = error
  for (const { change, reason, from, to } of REWORDINGS) {
    if (!changes.has(change)) continue
    const causes = status.details?.causes
    const reworded = causes?.map((cause): StatusCause => {
      if (cause.message === undefined || (reason !== undefined && cause.reason !== reason))
        return cause
      return { ...cause, message: cause.message.replace(from, to) }
    })
    const message =
      reason === undefined
        ? status.message?.replace(from, to)
        : withCauses(status.message, causes, reworded)
    if (message === status.message && !differs(causes, reworded)) continue
    status = {
      ...status,
      ...(message === undefined ? {} : { message }),
      ...(reworded ? { details: { ...status.details, causes: reworded } } : {}),
    }
  }
  return status === error.status ? error : new ApiError(status, error.headers)
}

const differs = (before: readonly StatusCause[] = [], after: readonly StatusCause[] = []) =>
  before.some((cause, i) => cause.message !== after[i]?.message)

/** The message of an invalid object lists its causes: `field: text`. */
function withCauses(
  message: string | undefined,
  before: readonly StatusCause[] = [],
  after: readonly StatusCause[] = [],
): string | undefined {
  let text = message
  before.forEach((cause, i) => {
    const now = after[i]?.message
    if (now === undefined || now === cause.message) return
    const [old, fresh] = [cause.message, now].map((said) => `${cause.field}: ${said}`)
    text = text?.replace(old ?? '', () => fresh ?? '')
  })
  return text
}
