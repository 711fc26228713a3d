/**
 * What expressions ask of the authorizer. Evaluation does not wait: a question that has no answer yet is thrown, asked, and the
 * evaluation begins again.
 */
import type { UserInfo } from '../authentication/authenticator'
import type { Attributes, Authorizer, Verdict } from '../authorization/authorizer'
import type { AccessAnswer, AccessQuery, Decide } from '../expressions/library/authorizer'

/** Thrown out of an evaluation that needs an answer first. */
class Unanswered {
  constructor(
    readonly key: string,
    readonly question: Attributes,
  ) {}
}

/** The answers that the evaluations of one request have had so far. */
export class Answers {
  private readonly known = new Map<string, Verdict>()

  constructor(
    private readonly authorizer: Authorizer,
    private readonly user: UserInfo,
  ) {}

  /** For expressions. @throws Unanswered */
  readonly decide: Decide = (query): AccessAnswer => {
    const key = JSON.stringify(query)
    const verdict = this.known.get(key)
    if (verdict === undefined) throw new Unanswered(key, this.questionOf(query))
    const { decision, reason, error } = verdict
    return { allowed: decision === 'allow', reason, ...(error === undefined ? {} : { error }) }
  }

  /** Runs what may ask, again after each new question; it must leave nothing behind but its result. */
  async complete<Result>(run: () => Result): Promise<Result> {
    for (;;) {
      try {
        return run()
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error
        this.known.set(error.key, await this.authorizer.authorize(error.question))
      }
    }
  }

  private questionOf({ serviceAccount, path, ...about }: AccessQuery): Attributes {
    const user = serviceAccount === undefined ? this.user : accountOf(serviceAccount)
    return { ...about, user, isResource: path === undefined, path: path ?? '', version: path === undefined ? '*' : '' }
  }
}

function accountOf({ namespace, name }: { namespace: string; name: string }): UserInfo {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated']
  return { name: `system:serviceaccount:${namespace}:${name}`, groups }
}
