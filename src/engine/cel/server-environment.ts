import { changesOf } from '../release-tables/changes'
import { Environment } from './environment'
import { hasKeywordFields, librariesOf, quotedNamesIn } from './library/libraries'
import { literalIssues } from './library/literal-checks'
import { JSON_PATCH, PATCH_TYPES } from './library/patch-types'
import type { Type } from './types/type'

export interface ServerEnvironmentOptions {
  /** New expressions may use only what the previous release had. */
  use: 'new' | 'stored'
  /** Otherwise most library functions cost 1 (policies and webhooks in 1.31). */
  strictCost: boolean
  /** Absent: 1.31. */
  release?: string | undefined
  /** Apply configurations and JSON patches. */
  patchTypes?: boolean | undefined
}

const bases = new Map<string, Environment>()

export function serverEnvironment(
  variables: Readonly<Record<string, Type>>,
  { use, strictCost, release = '1.31', patchTypes = false }: ServerEnvironmentOptions,
): Environment {
  const key = `${use} ${strictCost} ${release} ${patchTypes}`
  let base = bases.get(key)
  if (base === undefined) {
    base = new Environment({
      variables: {},
      libraries: [...librariesOf(release, use), ...(patchTypes ? [JSON_PATCH] : [])],
      structs: patchTypes ? PATCH_TYPES : undefined,
      optionalSyntax: true,
      quotedNames: quotedNamesIn(release),
      keywordFields: hasKeywordFields(release, use),
      rejectsSurrogates: changesOf(release).has('SurrogateEscapesRejected'),
      strictCost,
      validate: literalIssues,
    })
    bases.set(key, base)
  }
  return base.with(variables)
}
