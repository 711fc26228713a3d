import type { Files } from '../../src/engine/core/environment'
import type { Outbound } from '../../src/engine/core/outbound'
import type { ApiServerOptions } from '../../src/engine/server/server-options'
import { KUBECONFIG, type review } from '../authorization/building'
import { testClient } from './test-client'

export const TOKENS = 'admin-token,admin,,"system:masters"\njane-token,jane,jane-uid,"dev"\n'
const files: Files = { read: () => KUBECONFIG }

export type RequestInput = Record<string, unknown>

/** A server whose only mode is a webhook, and the SubjectAccessReviews that it sends. */
export function hooked(
  response: (requested: RequestInput) => ReturnType<typeof review>,
  featureGates: Record<string, boolean> = {},
  more: Partial<ApiServerOptions> = {},
) {
  const questions: RequestInput[] = []
  const outbound: Outbound = {
    async post({ body }) {
      const { spec } = JSON.parse(body)
      const requested = spec.resourceAttributes ?? spec.nonResourceAttributes
      questions.push(requested)
      return response(requested)
    },
  }
  const authorization = { modes: ['Webhook'], webhookConfigFile: '/hook', webhookVersion: 'v1' }
  return {
    questions,
    sendRequest: testClient({
      tokens: TOKENS,
      files,
      outbound,
      authorization,
      featureGates,
      ...more,
    }),
  }
}
