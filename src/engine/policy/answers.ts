/**
 * What expressions ask of the authorizer. Evaluation does not wait: a question that has no answer yet is thrown, asked, and the
 * evaluation begins again.
 */
import type { UserInfo } from '../authentication/authenticator'
import type { Attributes, Authorizer, Verdict } from '../authorization/authorizer'
import type { AccessAnswer, AccessQuery, Decide } from '../cel/library/authorizer'
import type { Eventually } from '../eventually'

/** Thrown out of an evaluation that needs an answer first. */
class Unanswered<Question> {
  constructor(
    readonly key: string,
    readonly question: Question,
  ) {}
}

/** The answers that evaluations have had so far, for those who cannot wait for one. */
export class Replies<Question, Reply> {
  private readonly known = new Map<string, Reply>()

  constructor(private readonly ask: (question: Question) => Promise<Reply>) {}

  /** For what is run by `complete`. @throws Unanswered */
  get(question: Question): Reply {
    const key = JSON.stringify(question)
    if (!this.known.has(key)) throw new Unanswered(key, question)
    return this.known.get(key) as Reply
  }

  /** Runs what may ask, again after each new question; it must leave nothing behind but its result. */
  complete<Result>(run: () => Result): Eventually<Result> {
    try {
      return run()
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      return this.ask(error.question as Question).then((reply) => {
        this.known.set(error.key, reply)
        return this.complete(run)
      })
    }
  }
}

/** What an authorizer says of the user of a request, or of service accounts. */
export class Answers {
  private readonly replies: Replies<AccessQuery, Verdict>

  constructor(
    authorizer: Authorizer,
    private readonly user: UserInfo,
  ) {
    this.replies = new Replies((query) =>
      Promise.resolve(authorizer.authorize(this.questionOf(query))),
    )
  }

  /** For expressions. @throws Unanswered */
  readonly decide: Decide = (query): AccessAnswer => {
    const { decision, reason, error } = this.replies.get(query)
    return { allowed: decision === 'allow', reason, ...(error === undefined ? {} : { error }) }
  }

  complete<Result>(run: () => Result): Eventually<Result> {
    return this.replies.complete(run)
  }

  private questionOf({ serviceAccount, path, ...about }: AccessQuery): Attributes {
    const user = serviceAccount === undefined ? this.user : accountOf(serviceAccount)
    return {
      ...about,
      user,
      isResource: path === undefined,
      path: path ?? '',
      version: path === undefined ? '*' : '',
    }
  }
}

function accountOf({ namespace, name }: { namespace: string; name: string }): UserInfo {
  const groups = [
    'system:serviceaccounts',
    `system:serviceaccounts:${namespace}`,
    'system:authenticated',
  ]
  return { name: `system:serviceaccount:${namespace}:${name}`, groups }
}
