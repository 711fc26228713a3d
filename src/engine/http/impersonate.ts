/**
 * Replaces the user of a request by the one that it impersonates. See kubernetes.io, "User
 * Impersonation".
 */
import type { UserInfo } from '../authentication/authenticator'
import { impersonationOf, wantedUserOf } from '../authentication/impersonation'
import { type ImpersonationMode, modesFor, wantedText } from '../authentication/impersonation-modes'
import type { Engine } from '../registry/engine'
import type { Trace } from '../telemetry/trace'
import { attributesOf, authorizeImpersonation } from './authorize'
import { forbiddenError } from './forbidden-error'
import type { ApiRequest } from './messages'
import type { RequestInfo } from './request-info'
import { ApiError, badRequest } from './status'

const MOST_CACHED = 10_000

/**
 * @returns undefined without impersonation headers
 * @throws ApiError 403 or 400, ImpersonationError
 */
export async function impersonate(
  engine: Engine,
  request: ApiRequest,
  info: RequestInfo,
  requester: UserInfo,
  trace: Trace,
): Promise<UserInfo | undefined> {
  if (engine.featureGates.ConstrainedImpersonation === true)
    return impersonateByMode(engine, request, info, requester, trace)
  const impersonation = impersonationOf(request)
  if (impersonation === undefined) return undefined
  for (const check of impersonation.authorizationChecks(requester))
    await authorizeImpersonation(engine, check, trace)
  return impersonation.user
}

/** The first permitted mode decides; otherwise the first mode's error does. */
async function impersonateByMode(
  engine: Engine,
  request: ApiRequest,
  info: RequestInfo,
  requester: UserInfo,
  trace: Trace,
): Promise<UserInfo | undefined> {
  const wanted = wantedUserOf(request)
  if (wanted === undefined) return undefined
  if (wanted.name === '')
    throw badRequest(`requested ${wantedText(wanted)} without impersonating a user name`)
  const { impersonationModes } = engine.state
  const last = impersonationModes.get(requester.name)
  const modes = modesFor(wanted, attributesOf(engine, info, requester))
  const ordered = [
    ...modes.filter(({ name }) => name === last),
    ...modes.filter(({ name }) => name !== last),
  ]
  let first: ApiError | undefined
  for (const mode of ordered) {
    const problem = await problemOf(engine, mode, trace)
    if (problem === undefined) {
      cacheMode(impersonationModes, requester.name, mode.name)
      return mode.user
    }
    first ??= problem
  }
  throw first
}

function cacheMode(known: Map<string, string>, requester: string, mode: string): void {
  known.delete(requester)
  known.set(requester, mode)
  if (known.size <= MOST_CACHED) return
  const [oldest] = known.keys()
  if (oldest !== undefined) known.delete(oldest)
}

async function problemOf(
  engine: Engine,
  { checks }: ImpersonationMode,
  trace: Trace,
): Promise<ApiError | undefined> {
  let covered = 0
  for (const { attributes, because, covers } of checks) {
    if (covered > 0) {
      covered--
      continue
    }
    if (because !== undefined) return forbiddenError(attributes, because)
    try {
      await authorizeImpersonation(engine, attributes, trace)
      covered = covers ?? 0
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (covers === undefined) return error
    }
  }
  return undefined
}
