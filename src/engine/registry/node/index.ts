/** Strategies of the kinds of group `node.k8s.io`: runtime classes, whose handler never changes (texts recorded). */
import type { KubeObject } from '../../object'
import { givenQuantity } from '../../schema/given-quantities'
import { invalidValue } from '../field-errors'
import { dnsLabelProblems, labelValueProblems, qualifiedNameProblems } from '../rules/names'
import { resourceQuantityErrors } from '../rules/quantities'
import { containerResourceErrors } from '../rules/resource-names'
import type { Strategy } from '../strategy'

interface RuntimeClass extends KubeObject {
  handler?: string
  overhead?: { podFixed?: Record<string, string> }
  scheduling?: { nodeSelector?: Record<string, string> }
}

const runtimeClassStrategy: Strategy = {
  allowUnconditionalUpdate: false,
  allowCreateOnUpdate: true,
  validate(object) {
    const { handler = '', overhead, scheduling } = object as RuntimeClass
    const amounts = overhead?.podFixed ?? {}
    return [
      ...dnsLabelProblems(handler).map((problem) => invalidValue('handler', handler, problem)),
      ...Object.keys(amounts).flatMap((name) => {
        const field = `overhead.limits[${name}]`
        return [...containerResourceErrors(field, name), ...resourceQuantityErrors(field, name, givenQuantity(amounts, name))]
      }),
      ...Object.entries(scheduling?.nodeSelector ?? {}).flatMap(([key, value]) => [
        ...qualifiedNameProblems(key).map((problem) => invalidValue('scheduling.nodeSelector', key, problem)),
        ...labelValueProblems(value).map((problem) => invalidValue('scheduling.nodeSelector', value, problem)),
      ]),
    ]
  },
  validateUpdate(object, old) {
    const { handler } = object as RuntimeClass
    return handler === (old as RuntimeClass).handler ? [] : [invalidValue('handler', handler, 'field is immutable')]
  },
}

export const nodeStrategies: Record<string, Strategy> = { 'node.k8s.io/RuntimeClass': runtimeClassStrategy }
