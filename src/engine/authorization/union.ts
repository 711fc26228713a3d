/** Several modes in a row: the first that allows or denies decides, and the reasons of those that did neither are joined. */
import type { Attributes, Authorizer, RuleList, Verdict } from './authorizer'

export function unionAuthorizer(authorizers: Authorizer[]): Authorizer {
  return {
    authorize: (attributes) => ask(authorizers, attributes, 0, []),
    async rules(user, namespace): Promise<RuleList> {
      const list: RuleList = { resourceRules: [], nonResourceRules: [], incomplete: false }
      const errors: string[] = []
      for (const authorizer of authorizers) {
        const own = await authorizer.rules?.(user, namespace)
        if (own === undefined) continue
        list.resourceRules.push(...own.resourceRules)
        list.nonResourceRules.push(...own.nonResourceRules)
        list.incomplete ||= own.incomplete
        if (own.evaluationError) errors.push(own.evaluationError)
      }
      if (errors.length > 0) list.evaluationError = errors.join(', ')
      return list
    },
  }
}

/** Stays synchronous as long as the modes do: this is asked on every request. */
function ask(authorizers: Authorizer[], attributes: Attributes, next: number, reasons: string[]): Verdict | Promise<Verdict> {
  for (let i = next; i < authorizers.length; i++) {
    const answer = (authorizers[i] as Authorizer).authorize(attributes)
    if (answer instanceof Promise)
      return answer.then((verdict) => settled(verdict, reasons) ?? ask(authorizers, attributes, i + 1, reasons))
    const verdict = settled(answer, reasons)
    if (verdict !== undefined) return verdict
  }
  return { decision: 'noOpinion', reason: reasons.join('\n') }
}

/** @returns undefined: no opinion; its reason is kept */
function settled(verdict: Verdict, reasons: string[]): Verdict | undefined {
  if (verdict.decision !== 'noOpinion') return verdict
  if (verdict.reason !== '') reasons.push(verdict.reason)
  return undefined
}
