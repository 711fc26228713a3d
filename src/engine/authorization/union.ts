/** Several modes in a row: the first that allows or denies decides; reasons and errors of those that did neither are joined. */
import { append } from '../lists'
import type { Attributes, Authorizer, RuleList, Verdict } from './authorizer'
import { aggregated } from './errors'

/** What modes without an opinion have said so far. */
interface Said {
  reasons: string[]
  errors: string[]
}

export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  return {
    authorize: (attributes) => ask(authorizers, attributes, 0, undefined),
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

const SILENCE: Verdict = { decision: 'noOpinion', reason: '' }

/** Stays synchronous as long as the modes do: this is asked on every request. */
function ask(
  authorizers: readonly Authorizer[],
  attributes: Attributes,
  next: number,
  said: Said | undefined,
): Verdict | Promise<Verdict> {
  let heard = said
  for (let i = next; i < authorizers.length; i++) {
    const answer = (authorizers[i] as Authorizer).authorize(attributes)
    if (answer instanceof Promise) {
      return answer.then((verdict) =>
        verdict.decision === 'noOpinion'
          ? ask(authorizers, attributes, i + 1, noted(heard, verdict))
          : verdict,
      )
    }
    if (answer.decision !== 'noOpinion') return answer
    heard = noted(heard, answer)
  }
  if (heard === undefined) return SILENCE
  const { reasons, errors } = heard
  return {
    decision: 'noOpinion',
    reason: reasons.join('\n'),
    ...(errors.length > 0 ? { error: aggregated(errors) } : {}),
  }
}

function noted(said: Said | undefined, { reason, error }: Verdict): Said | undefined {
  if (reason === '' && error === undefined) return said
  const noting = said ?? { reasons: [], errors: [] }
  if (reason !== '') noting.reasons.push(reason)
  if (error !== undefined) noting.errors.push(error)
  return noting
}
