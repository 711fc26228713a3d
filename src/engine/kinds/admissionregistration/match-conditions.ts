/** Validates match conditions. Recorded from kube-apiserver 1.31. */

import { equalJson } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Declarations, Era } from '../../policy/compile'
import type { MatchCondition } from '../../policy/objects'
import { goTrim } from '../../schema/go-text'
import { duplicate, invalidValue, required, tooMany } from '../../validation/field-errors'
import { qualifiedNameProblems } from '../../validation/names'
import { expressionErrors } from './expressions'

const MAX_CONDITIONS = 64

type Conditions = readonly MatchCondition[] | undefined | null

/** @param old unchanged conditions are not validated */
export function matchConditionErrors(
  conditions: Conditions,
  old: Conditions,
  declared: Declarations,
  path: string,
  era: Era,
): FieldError[] {
  const list = conditions ?? []
  if (old !== undefined && equalJson(list, old ?? [])) return []
  return [
    ...(list.length > MAX_CONDITIONS ? [tooMany(path, list.length, MAX_CONDITIONS)] : []),
    ...list.flatMap(({ name = '', expression = '' }, i) => {
      const at = `${path}[${i}]`
      const text = goTrim(expression)
      return [
        ...(text === ''
          ? [required(`${at}.expression`)]
          : expressionErrors(text, 'bool', declared, `${at}.expression`, era)),
        ...(name === ''
          ? [required(`${at}.name`)]
          : qualifiedNameProblems(name).map((problem) =>
              invalidValue(`${at}.name`, name, problem),
            )),
        ...(name !== '' && list.findIndex((other) => other.name === name) < i
          ? [duplicate(`${at}.name`, name)]
          : []),
      ]
    }),
  ]
}
