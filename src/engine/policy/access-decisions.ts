/** Evaluation is synchronous: it throws an undecided query, and is repeated after the decision. */
import type { UserInfo } from '../authentication/authenticator'
import type { Attributes, Authorizer, Verdict } from '../authorization/authorizer'
import { fieldSelectorOf, labelSelectorOf } from '../authorization/selectors'
import type { AccessDecision, AccessQuery, Decide } from '../cel/library/authorizer'
import { type MaybePromise, Pending, whenSettled } from '../core/maybe-promise'

export class Replies<Question, Reply> {
  private readonly known = new Map<string, Reply>()

  constructor(private readonly authorize: (question: Question) => Promise<Reply>) {}

  /** Only inside `whenSettled`. @throws Pending */
  get(question: Question): Reply {
    const key = JSON.stringify(question)
    if (!this.known.has(key))
      throw new Pending(async () => {
        this.known.set(key, await this.authorize(question))
      })
    return this.known.get(key) as Reply
  }

  /** @param run must have no side effects: it is repeated */
  complete<Result>(run: () => Result): MaybePromise<Result> {
    return whenSettled(run)
  }
}

export class AccessDecisions {
  private readonly replies: Replies<AccessQuery, Verdict>

  constructor(
    authorizer: Authorizer,
    private readonly user: UserInfo,
  ) {
    this.replies = new Replies((query) =>
      Promise.resolve(authorizer.authorize(this.questionOf(query))),
    )
  }

  /** @throws Pending */
  readonly decide: Decide = (query): AccessDecision => {
    const { decision, reason, error } = this.replies.get(query)
    return { allowed: decision === 'allow', reason, ...(error === undefined ? {} : { error }) }
  }

  complete<Result>(run: () => Result): MaybePromise<Result> {
    return this.replies.complete(run)
  }

  private questionOf(query: AccessQuery): Attributes {
    const { serviceAccount, path, fieldSelector, labelSelector, ...about } = query
    const user = serviceAccount === undefined ? this.user : accountOf(serviceAccount)
    return {
      ...about,
      user,
      isResource: path === undefined,
      path: path ?? '',
      version: path === undefined ? '*' : '',
      ...(fieldSelector ? { fieldSelector: fieldSelectorOf(fieldSelector) } : {}),
      ...(labelSelector ? { labelSelector: labelSelectorOf(labelSelector) } : {}),
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
