import { isJsonObject, type JsonObject } from '../engine/core/object'

/** Printed as `error: MESSAGE`. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message)
  }
}

/** Printed without a prefix. */
export class PlainError extends CommandError {}

/** Printed with a reference to the help. */
export class UsageError extends CommandError {
  /** @param command `kubectl get` */
  constructor(
    message: string,
    readonly command: string,
  ) {
    super(message)
  }
}

/** Ends the command with this code, without output. */
export class Exit extends Error {
  constructor(readonly exitCode: number) {
    super(`exit ${exitCode}`)
  }
}

/** Several failures, printed one by one. Failed lookups are one item. */
export class ManyErrors extends Error {
  constructor(readonly errors: readonly Error[]) {
    super(errors.map(({ message }) => message).join('\n'))
  }
}

interface Cause {
  field: string
  message: string
}

export class StatusError extends Error {
  readonly code: number
  readonly reason: string
  readonly status: JsonObject

  /** @param doing the operation in the message: `error when creating "x.yaml"` */
  constructor(
    status: JsonObject,
    readonly doing = '',
  ) {
    super(typeof status.message === 'string' ? status.message : '')
    this.status = status
    this.code = typeof status.code === 'number' ? status.code : 500
    this.reason = typeof status.reason === 'string' ? status.reason : ''
  }

  /** The same error with an operation. */
  during(doing: string): StatusError {
    return new StatusError(this.status, doing)
  }

  get details(): JsonObject {
    return isJsonObject(this.status.details) ? this.status.details : {}
  }

  get causes(): Cause[] {
    const { causes } = this.details
    return (Array.isArray(causes) ? causes : [])
      .filter(isJsonObject)
      .map(({ field, message }) => ({ field: String(field ?? ''), message: String(message ?? '') }))
  }
}

/** With a final newline. */
export function errorText(error: unknown): string {
  if (error instanceof ManyErrors) {
    // In a list, a command's own failure has no prefix, and an invalid object one line.
    const [first, ...more] = error.errors
    return more.length === 0
      ? errorText(first)
      : error.errors
          .map((one) => ended(one instanceof StatusError ? failureText(one) : one.message))
          .join('')
  }
  if (error instanceof StatusError) return ended(statusText(error))
  if (error instanceof UsageError)
    return ended(`error: ${error.message}\nSee '${error.command} --help' for usage.`)
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof PlainError) return ended(message)
  return ended(message.startsWith('error: ') ? message : `error: ${message}`)
}

export function exitCodeOf(error: unknown): number {
  return error instanceof CommandError || error instanceof Exit ? error.exitCode : 1
}

const ended = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`)

function statusText(error: StatusError): string {
  if (error.reason === 'Invalid') return invalidText(error)
  if (error.reason === 'Unauthorized')
    return `error: You must be logged in to the server (${error.message})`
  return failureText(error)
}

function failureText({ reason, message, doing }: StatusError): string {
  const whole = doing === '' ? message : `${doing}: ${message}`
  return reason === '' ? `Error from server: ${whole}` : `Error from server (${reason}): ${whole}`
}

/** The causes, without duplicates. */
function invalidText({ details, causes, message }: StatusError): string {
  const { kind, name } = details
  const known = Boolean(kind) || Boolean(name)
  const what = known
    ? `The ${kind ?? ''} ${JSON.stringify(name ?? '')} is invalid`
    : 'The request is invalid'
  const lines = [...new Set(causes.map((cause) => `${cause.field}: ${cause.message}`))]
  if (lines.length === 0) return known || message === '' ? what : `${what}: ${message}`
  return lines.length === 1
    ? `${what}: ${lines[0]}`
    : `${what}: \n${lines.map((line) => `* ${line}`).join('\n')}`
}
