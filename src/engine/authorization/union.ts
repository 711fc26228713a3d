/**
 * The first opinion decides; otherwise reasons and errors are joined (k8s.io/apiserver, package
 * pkg/authorization/union).
 */

import { aggregateMessage } from '../core/aggregate-message'
import { append } from '../core/lists'
import { chain, findInOrder, type MaybePromise } from '../core/maybe-promise'
import type { Attributes, Authorizer, RuleList, Verdict } from './authorizer'

interface NoOpinions {
  reasons: string[]
  errors: string[]
}

/** @param names prefixes for reasons without an opinion */
export function unionAuthorizer(
  authorizers: readonly Authorizer[],
  names?: readonly string[],
): Authorizer {
  const members = names === undefined ? authorizers : authorizers.map(naming(names))
  return {
    authorize: (attributes) => authorizeInOrder(members, attributes),
    async rules(user, namespace): Promise<RuleList> {
      const list: RuleList = { resourceRules: [], nonResourceRules: [], incomplete: false }
      const errors: string[] = []
      for (const authorizer of authorizers) {
        const own = await authorizer.rules?.(user, namespace)
        if (own === undefined) continue
        append(list.resourceRules, own.resourceRules)
        append(list.nonResourceRules, own.nonResourceRules)
        list.incomplete ||= own.incomplete
        if (own.evaluationError) errors.push(own.evaluationError)
      }
      if (errors.length > 0) list.evaluationError = aggregateMessage(errors)
      return list
    },
    nearMisses: (attributes) =>
      authorizers.flatMap((authorizer) => authorizer.nearMisses?.(attributes) ?? []),
  }
}

const naming =
  (names: readonly string[]) =>
  ({ authorize }: Authorizer, index: number): Authorizer => {
    const named = (verdict: Verdict): Verdict =>
      verdict.decision !== 'noOpinion' || verdict.reason === ''
        ? verdict
        : { ...verdict, reason: `${names[index]}: ${verdict.reason}` }
    return {
      authorize(attributes) {
        return chain(authorize(attributes), named)
      },
    }
  }

const NO_OPINION: Verdict = { decision: 'noOpinion', reason: '' }

function authorizeInOrder(
  authorizers: readonly Authorizer[],
  attributes: Attributes,
): MaybePromise<Verdict> {
  let collected: NoOpinions | undefined
  const found = findInOrder(authorizers, (authorizer) =>
    chain(authorizer.authorize(attributes), (verdict) => {
      if (verdict.decision !== 'noOpinion') return verdict
      collected = noted(collected, verdict)
      return undefined
    }),
  )
  return chain(found, (verdict) => verdict ?? withoutOpinion(collected))
}

function withoutOpinion(collected: NoOpinions | undefined): Verdict {
  if (collected === undefined) return NO_OPINION
  const { reasons, errors } = collected
  return {
    decision: 'noOpinion',
    reason: reasons.join('\n'),
    ...(errors.length > 0 ? { error: aggregateMessage(errors) } : {}),
  }
}

function noted(
  previous: NoOpinions | undefined,
  { reason, error }: Verdict,
): NoOpinions | undefined {
  if (reason === '' && error === undefined) return previous
  const noting = previous ?? { reasons: [], errors: [] }
  if (reason !== '') noting.reasons.push(reason)
  if (error !== undefined) noting.errors.push(error)
  return noting
}
