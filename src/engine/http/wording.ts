/** Rewrites messages of the base release for later releases. */
import type { ChangeName, ReleaseTypes } from '../release-tables/changes'
import { ApiError, currentError, invalid, type StatusCause } from './status'

interface Rewording {
  change: ChangeName
  /** Absent: the message and all causes. */
  reason?: string
  from: RegExp
  to: string
}

const UNREGISTERED =
  /(?<text>no kind (?:"[^"]*" )?is registered for (?:version "[^"]*"|the [^"]*(?:"[^"]*")?) ?in scheme "pkg\/runtime\/scheme\.go:)\d+(?=")/g

/** Go includes embedded structures in paths. */
const EMBEDDED: readonly [place: RegExp, name: string][] = [
  [
    /(?<=\.(?:liveness|readiness|startup)Probe\.)(?=(?:exec|httpGet|tcpSocket|grpc)(?:\.\w+)* of type )/,
    'ProbeHandler',
  ],
  [/(?<=[. ]spec\.volumes\.)(?=(?!name )\w+(?:\.\w+)* of type )/, 'VolumeSource'],
  [
    /(?<=\.ephemeralContainers\.)(?=(?!targetContainerName )\w+(?:\.\w+)* of type )/,
    'EphemeralContainerCommon',
  ],
  [
    /(?<=\.(?:envFrom\.(?:configMap|secret)Ref|valueFrom\.(?:configMap|secret)KeyRef)\.)(?=name of type )/,
    'LocalObjectReference',
  ],
  [
    /(?<=\.(?:VolumeSource\.configMap|sources\.configMap|sources\.secret)\.)(?=name of type )/,
    'LocalObjectReference',
  ],
]

/** In order, each on the previous result. */
const REWORDINGS: readonly Rewording[] = [
  {
    change: 'TooLongNamesBytes',
    reason: 'FieldValueTooLong',
    from: /^Too long: (?:must have at most|may not be longer than) (\d+)(?: bytes)?$/,
    to: 'Too long: may not be more than $1 bytes',
  },
  {
    change: 'StoredVersionExplained',
    reason: 'FieldValueInvalid',
    from: /^(Invalid value: "(.*)": )must appear in spec\.versions$/s,
    to: '$1missing from spec.versions; $2 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in $2 and removes $2 from status.storedVersions',
  },
  {
    change: 'LimitsInTheSingular',
    reason: 'FieldValueTooLong',
    from: /(?<= than 1 byte)s$/,
    to: '',
  },
  {
    change: 'LimitsInTheSingular',
    reason: 'FieldValueTooMany',
    from: /(?<=: must have at most 1 item)s$/,
    to: '',
  },
  {
    change: 'LengthsInBytes',
    from: /(?<=(?:name|prefix) part must be no more than \d+ )characters(?!\w)/g,
    to: 'bytes',
  },
  {
    change: 'LengthsInBytes',
    from: /(?<=^unable to parse requirement: values\[\d+\]\[.*: must be no more than \d+ )characters(?=$|, )/,
    to: 'bytes',
  },
  {
    change: 'QualifiedNamesAreLabelKeys',
    from: /(?<=[:"] )a qualified name(?= must consist of alphanumeric characters)/g,
    to: 'a valid label key',
  },
  {
    change: 'TextsOfTags',
    reason: 'FieldValueInvalid',
    from: /: cannot change roleRef$/,
    to: ': field is immutable',
  },
  {
    change: 'TextsOfTags',
    reason: 'FieldValueInvalid',
    from: /: type must be 'Exempt' if and only if name is 'exempt'$/,
    to: ": must be 'Exempt' if and only if `name` is 'exempt'",
  },
  {
    change: 'AppliesDecodeAsPatches',
    from: /^error (strict )?decoding YAML:/,
    to: 'error $1decoding patch:',
  },
  ...EMBEDDED.map(
    ([from, name]): Rewording => ({
      change: 'EmbeddedStructsNamed',
      from,
      to: `${name}.`,
    }),
  ),
  { change: 'SchemeErrorsAtLine110', from: UNREGISTERED, to: '$<text>110' },
  { change: 'SchemeErrorsAtLine111', from: UNREGISTERED, to: '$<text>111' },
]

/** @returns the same error if no text changes */
export function worded(error: ApiError, tables: ReleaseTypes): ApiError {
  const now = reworded(error, tables)
  if (error.grounds !== undefined) now.grounds = error.grounds
  return now
}

function reworded(error: ApiError, tables: ReleaseTypes): ApiError {
  const { changes } = tables
  if (changes.size === 0) return error
  const current = withLaterDetails(error, tables)
  let { status } = current
  for (const { change, reason, from, to } of REWORDINGS) {
    if (!changes.has(change)) continue
    const causes = status.details?.causes
    const rewordedCauses = causes?.map((cause): StatusCause => {
      if (cause.message === undefined || (reason !== undefined && cause.reason !== reason))
        return cause
      return { ...cause, message: cause.message.replace(from, to) }
    })
    const message =
      reason === undefined
        ? status.message?.replace(from, to)
        : withCauses(status.message, causes, rewordedCauses)
    if (message === status.message && !differs(causes, rewordedCauses)) continue
    status = {
      ...status,
      ...(message === undefined ? {} : { message }),
      ...(rewordedCauses ? { details: { ...status.details, causes: rewordedCauses } } : {}),
    }
  }
  return status === current.status ? current : new ApiError(status, error.headers, current.invalid)
}

function withLaterDetails(error: ApiError, tables: ReleaseTypes): ApiError {
  if (error.invalid === undefined) return error
  const { target, name, errors } = error.invalid
  if (errors.every(({ later }) => later === undefined)) return error
  const details = errors.map((error) => currentError(error, tables))
  return invalid(target, name, details)
}

const differs = (before: readonly StatusCause[] = [], after: readonly StatusCause[] = []) =>
  before.some((cause, i) => cause.message !== after[i]?.message)

/** The message lists the causes: `field: text`. */
function withCauses(
  message: string | undefined,
  before: readonly StatusCause[] = [],
  after: readonly StatusCause[] = [],
): string | undefined {
  let text = message
  before.forEach((cause, i) => {
    const now = after[i]?.message
    if (now === undefined || now === cause.message) return
    const [old, fresh] = [cause.message, now].map((reason) => `${cause.field}: ${reason}`)
    text = text?.replace(old ?? '', () => fresh ?? '')
  })
  return text
}
