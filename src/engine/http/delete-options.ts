/** A body replaces the query parameters. Recorded from kube-apiserver 1.31. */
import { append } from '../core/lists'
import type { JsonObject } from '../core/object'
import type { DeleteOptions } from '../registry/delete'
import type { RequestContext } from '../registry/request-context'
import { DecodeError, decodeObject } from '../schema/decode'
import { SyntaxProblem } from '../schema/envelope'
import { goQuote } from '../schema/go-text'
import type { StructType } from '../schema/model'
import { UNGROUPED } from '../schema/registered-kinds'
import { notSupported } from '../validation/field-errors'
import { parseBody, withinLimit } from './body'
import { type Exchange, registryContext } from './exchange'
import { demandedFormat } from './negotiation'
import { dryRunErrors, flag, integer, OPTIONS_OF } from './options'
import type { Query } from './query'
import { type ApiError, badRequest, type FieldError, invalid, serverError } from './status'
import { UNSAFE_OPTION, unsafeOptionErrors } from './unsafe-delete'

const POLICIES = ['Foreground', 'Background', 'Orphan', 'nil']

/** @throws ApiError 400, 413, 415, 422, or 500 for a body of another kind */
export async function readDeleteOptions(
  exchange: Exchange,
): Promise<DeleteOptions & { dryRun: boolean }> {
  const { request, info } = exchange
  const bytes = withinLimit(await request.body())
  exchange.trace.bodyBytes = bytes.length
  const options = bytes.length > 0 ? fromBody(bytes, exchange) : fromQuery(info.query)
  if (!exchange.engine.featureGates.AllowUnsafeMalformedObjectDeletion)
    delete options[UNSAFE_OPTION]
  return checkedOptions(options)
}

export function deletionContext(
  exchange: Exchange,
  options: DeleteOptions & { dryRun: boolean },
): RequestContext {
  return registryContext(exchange, { dryRun: options.dryRun, fieldManager: '' }, () =>
    shownOptions(options),
  )
}

/** The version is always `meta.k8s.io/v1`. */
function shownOptions(options: DeleteOptions & { dryRun: boolean }): JsonObject {
  const { gracePeriodSeconds, preconditions, orphanDependents, propagationPolicy, dryRun } = options
  return {
    ...OPTIONS_OF.DELETE,
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(preconditions ? { preconditions: { ...preconditions } } : {}),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(dryRun ? { dryRun: ['All'] } : {}),
    ...(options.isUnsafe ? { [UNSAFE_OPTION]: true } : {}),
  }
}

export interface RawDeleteOptions {
  gracePeriodSeconds?: number
  orphanDependents?: boolean
  propagationPolicy?: string
  preconditions?: { uid?: string; resourceVersion?: string }
  dryRun?: string[]
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean
}

const DELETE_OPTIONS = { apiVersion: 'v1', kind: 'DeleteOptions' }

function fromBody(bytes: Uint8Array, exchange: Exchange): RawDeleteOptions {
  const { request, engine } = exchange
  const isBadRequest = engine.tables.changes.has('UnreadableDeleteOptionsAreBadRequests')
  const unreadable = isBadRequest ? badRequest : serverError
  // Options are built-in kinds, so Protobuf is accepted.
  const format = demandedFormat(request.header('content-type'), false)
  try {
    const read = parseBody(bytes, format, undefined, DELETE_OPTIONS)
    const problem = kindProblem(read.value)
    if (problem !== undefined) throw unreadable(problem)
    if (read.misread !== undefined) throw new SyntaxProblem(read.misread)
    const type = engine.model.byName(
      'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
    ) as StructType
    return decodeObject(type, read.value, read).object as unknown as RawDeleteOptions
  } catch (error) {
    if (error instanceof SyntaxProblem || error instanceof DecodeError)
      throw unreadable(error.message)
    throw error
  }
}

function kindProblem(value: JsonObject): string | undefined {
  const { kind, apiVersion } = value
  if (kind === undefined || kind === null || kind === '' || kind === 'DeleteOptions')
    return undefined
  if (UNGROUPED.includes(String(kind)))
    return `converting (v1.${kind}) to (v1.DeleteOptions): unknown conversion`
  return `no kind ${goQuote(String(kind))} is registered for version ${goQuote(String(apiVersion || OPTIONS_OF.DELETE.apiVersion))} in scheme "pkg/runtime/scheme.go:100"`
}

/**
 * In a collection the resourceVersion applies to each object. Recorded from kube-apiserver 1.31.
 */
function fromQuery(query: Query): RawDeleteOptions {
  const options: RawDeleteOptions = {}
  const grace = integer(query.get('gracePeriodSeconds'))
  const orphan = flag(query, 'orphanDependents')
  const policy = query.get('propagationPolicy')
  const dryRun = query.all('dryRun')
  const unsafe = flag(query, UNSAFE_OPTION)
  if (grace !== undefined) options.gracePeriodSeconds = grace
  if (orphan !== undefined) options.orphanDependents = orphan
  if (policy !== undefined) options.propagationPolicy = policy
  if (dryRun.length > 0) options.dryRun = dryRun
  if (unsafe !== undefined) options[UNSAFE_OPTION] = unsafe
  const preconditions = preconditionsIn(query)
  if (preconditions !== undefined) options.preconditions = preconditions
  return options
}

/** Empty parameters do not count. */
function preconditionsIn(query: Query): RawDeleteOptions['preconditions'] {
  const [uid, resourceVersion] = [query.get('uid'), query.get('resourceVersion')]
  if (!uid && !resourceVersion) return undefined
  return { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) }
}

export const invalidOptions = (errors: FieldError[]): ApiError =>
  invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors)

/** Options that exclude an unsafe deletion. */
const NEVER_UNSAFE = [
  'propagationPolicy',
  'orphanDependents',
  'gracePeriodSeconds',
  'preconditions',
] as const

/** @throws ApiError 422 with all invalid options */
export function checkedOptions(options: RawDeleteOptions): DeleteOptions & { dryRun: boolean } {
  const errors: FieldError[] = []
  const {
    propagationPolicy: policy,
    dryRun = [],
    orphanDependents,
    [UNSAFE_OPTION]: isUnsafe = false,
    ...rest
  } = options
  if (orphanDependents !== undefined && policy !== undefined) {
    errors.push({
      field: 'propagationPolicy',
      reason: 'FieldValueInvalid',
      detail: `Invalid value: ${goQuote(policy)}: orphanDependents and deletionPropagation cannot be both set`,
    })
  }
  if (policy !== undefined && !['Foreground', 'Background', 'Orphan'].includes(policy)) {
    errors.push(notSupported('propagationPolicy', policy, POLICIES))
  }
  append(errors, dryRunErrors(dryRun))
  if (isUnsafe)
    append(errors, unsafeOptionErrors(NEVER_UNSAFE.filter((name) => options[name] !== undefined)))
  if (errors.length > 0) throw invalidOptions(errors)
  const settled: DeleteOptions & { dryRun: boolean } = { ...rest, dryRun: dryRun.length > 0 }
  if (orphanDependents !== undefined) settled.orphanDependents = orphanDependents
  if (policy !== undefined) settled.propagationPolicy = policy
  if (isUnsafe) settled.isUnsafe = true
  return settled
}
