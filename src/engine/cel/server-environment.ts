/** The environments that the API server compiles expressions in. */
import { Environment } from './environment'
import { librariesOf } from './library/libraries'
import { literalIssues } from './library/literal-checks'
import type { Type } from './types/type'

export interface ServerEnvironmentOptions {
  /** Expressions that are written now may use what the release before had; those that are stored may use everything. */
  use: 'new' | 'stored'
  /** Calls of library functions cost what they do; without it, most cost 1 (policies and webhooks in 1.31). */
  strictCost: boolean
}

const RELEASE = { new: 30, stored: 31 }
/** One of each kind, made when it is first asked for: what it knows of functions is shared by all that are made from it. */
const bases = new Map<string, Environment>()

export function serverEnvironment(
  variables: Readonly<Record<string, Type>>,
  { use, strictCost }: ServerEnvironmentOptions,
): Environment {
  const key = `${use} ${strictCost}`
  let base = bases.get(key)
  if (base === undefined) {
    base = new Environment({
      variables: {},
      libraries: librariesOf(RELEASE[use]),
      optionalSyntax: true,
      strictCost,
      validate: literalIssues,
    })
    bases.set(key, base)
  }
  return base.with(variables)
}
