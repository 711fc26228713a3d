/**
 * The kubelet requests the tokens of a pod, bound to the pod, when a program reads them, and new
 * ones when most of their lifetime is over.
 * https://kubernetes.io/docs/concepts/storage/projected-volumes/#serviceaccounttoken
 */
import type { TokenRequest } from 'kubernetes-types/authentication/v1'
import type { Pod } from 'kubernetes-types/core/v1'
import type { PodState } from '../../simulation/pod-state'
import type { TokenSource } from '../../simulation/volume-contents'
import type { Client } from '../runtime/client'
import type { Stored } from '../runtime/stored'

/** The part of its lifetime after which a token is replaced. */
const REPLACED_AFTER = 0.8

export const TOKEN_RETRY_MILLISECONDS = 10_000

export const tokenProblem = (error: unknown): string =>
  `failed to fetch token: ${error instanceof Error ? error.message : String(error)}`

/** @returns milliseconds until the tokens have to be replaced */
export async function issueTokens(
  client: Client,
  { metadata, spec }: Stored<Pod>,
  state: PodState,
): Promise<number> {
  const account = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: spec?.serviceAccountName || 'default', namespace: metadata.namespace ?? '' },
  }
  const { name = '', uid = '' } = metadata
  let next = Number.POSITIVE_INFINITY
  try {
    for (const request of new Set([...state.tokens.keys(), ...state.wantedTokens])) {
      const { audience, expirationSeconds } = JSON.parse(request) as TokenSource
      const { status } = (await client.post(account, 'token', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {
          audiences: audience === '' ? [] : [audience],
          expirationSeconds,
          boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
        },
      })) as TokenRequest
      if (status === undefined) continue
      state.tokens.set(request, status.token)
      const after = expirationSeconds * 1000 * REPLACED_AFTER
      next = Math.min(next, after)
    }
  } finally {
    state.endWait()
  }
  return next
}
