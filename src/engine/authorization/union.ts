/**
 * The union of several modes: the first that allows or denies decides. Reasons and errors of modes
 * without an opinion are joined (k8s.io/apiserver, package pkg/authorization/union).
 */
import { append } from '../core/lists'
import type { Attributes, Authorizer, RuleList, Verdict } from './authorizer'
import { aggregated } from './errors'

/** Reasons and errors of modes without an opinion so far. */
interface NoOpinions {
  reasons: string[]
  errors: string[]
}

/** @param names before the reason of each authorizer without an opinion; absent: no names */
export function unionAuthorizer(
  authorizers: readonly Authorizer[],
  names?: readonly string[],
): Authorizer {
  const members = names === undefined ? authorizers : authorizers.map(naming(names))
  return {
    authorize: (attributes) => authorizeFrom(members, attributes, 0, undefined),
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
      if (errors.length > 0) list.evaluationError = aggregated(errors)
      return list
    },
    nearMisses: (attributes) =>
      authorizers.flatMap((authorizer) => authorizer.nearMisses?.(attributes) ?? []),
  }
}

/** Puts the name of each authorizer before its reason where it has no opinion. */
const naming =
  (names: readonly string[]) =>
  ({ authorize }: Authorizer, index: number): Authorizer => {
    const named = (verdict: Verdict): Verdict =>
      verdict.decision !== 'noOpinion' || verdict.reason === ''
        ? verdict
        : { ...verdict, reason: `${names[index]}: ${verdict.reason}` }
    return {
      authorize(attributes) {
        const verdict = authorize(attributes)
        return verdict instanceof Promise ? verdict.then(named) : named(verdict)
      },
    }
  }

const NO_OPINION: Verdict = { decision: 'noOpinion', reason: '' }

/** Stays synchronous as long as the modes do, because every request passes here. */
function authorizeFrom(
  authorizers: readonly Authorizer[],
  attributes: Attributes,
  next: number,
  previous: NoOpinions | undefined,
): Verdict | Promise<Verdict> {
  let collected = previous
  for (let i = next; i < authorizers.length; i++) {
    const outcome = (authorizers[i] as Authorizer).authorize(attributes)
    if (outcome instanceof Promise) {
      return outcome.then((verdict) =>
        verdict.decision === 'noOpinion'
          ? authorizeFrom(authorizers, attributes, i + 1, noted(collected, verdict))
          : verdict,
      )
    }
    if (outcome.decision !== 'noOpinion') return outcome
    collected = noted(collected, outcome)
  }
  if (collected === undefined) return NO_OPINION
  const { reasons, errors } = collected
  return {
    decision: 'noOpinion',
    reason: reasons.join('\n'),
    ...(errors.length > 0 ? { error: aggregated(errors) } : {}),
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
