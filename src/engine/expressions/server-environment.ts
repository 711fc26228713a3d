/** The environments that the API server compiles expressions in. */
import { Environment } from './environment'
import { LIBRARIES } from './library/libraries'
import type { Type } from './types/type'

export interface ServerEnvironmentOptions {
  /** Expressions that are written now may use what the release before had; those that are stored may use everything. */
  use: 'new' | 'stored'
  /** Calls of library functions cost what they do; without it, most cost 1 (policies and webhooks in 1.31). */
  strictCost: boolean
}

export function serverEnvironment(variables: Readonly<Record<string, Type>>, { strictCost }: ServerEnvironmentOptions): Environment {
  return new Environment({ variables, libraries: LIBRARIES, optionalSyntax: true, strictCost })
}
