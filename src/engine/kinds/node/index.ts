/** Rules of RuntimeClasses. Recorded from kube-apiserver 1.31. */

import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Kind } from '../../registry/kind'
import type { Strategy } from '../../registry/strategy'
import { OBJECT_FIRST } from '../../registry/update-order'
import { repeatsIn } from '../../schema/repeats'
import { inFormat, mustBeSet, mustNotChange } from '../../validation/declared/rules'
import { duplicatePrinted, invalidValue } from '../../validation/field-errors'
import { printedStructure } from '../../validation/go-literal'
import { labelErrors } from '../../validation/label-selectors'
import { dnsLabelProblems } from '../../validation/names'
import { labelDeprecation } from '../../validation/node-labels'
import { tolerationErrors } from '../../validation/tolerations'
import type { Toleration } from '../core/pod-types'
import { containerResourceRequirementErrors } from '../core/pod-validation/resources'

interface RuntimeClass extends KubeObject {
  handler?: string
  overhead?: { podFixed?: Record<string, string> }
  scheduling?: { nodeSelector?: Record<string, string>; tolerations?: Toleration[] }
}

const runtimeClassStrategy: Strategy = {
  allowUnconditionalUpdate: false,
  allowCreateOnUpdate: true,
  laxFinalizers: true,
  validate(object, { engine }) {
    const tolerations = engine.tables.changes.has('RuntimeTolerationPaths')
      ? 'tolerations'
      : 'tolerations.tolerations'
    const { handler = '', overhead, scheduling } = object as RuntimeClass
    return [
      ...dnsLabelProblems(handler).map((problem) => invalidValue('handler', handler, problem)),
      // Like container limits.
      ...containerResourceRequirementErrors({ limits: overhead?.podFixed ?? {} }, 'overhead'),
      ...labelErrors(scheduling?.nodeSelector, 'scheduling.nodeSelector'),
      // Until 1.34 the path has `tolerations` twice.
      ...tolerationErrors(scheduling?.tolerations ?? [], `scheduling.${tolerations}`),
      ...repeatedTolerations(scheduling?.tolerations ?? []),
    ]
  },
  warningsOnCreate: selectorWarnings,
  warningsOnUpdate: selectorWarnings,
  validateUpdate(object, old) {
    const { handler } = object as RuntimeClass
    return handler === (old as RuntimeClass).handler
      ? []
      : [invalidValue('handler', handler, 'field is immutable')]
  },
}

/** Warnings do not name the label. */
function selectorWarnings(object: KubeObject): string[] {
  return Object.keys((object as RuntimeClass).scheduling?.nodeSelector ?? {})
    .sort()
    .flatMap((label) => {
      const text = labelDeprecation(label)
      return text === undefined ? [] : [`scheduling.nodeSelector: ${text}`]
    })
}

function repeatedTolerations(tolerations: Toleration[]): FieldError[] {
  // Members have the order of the type: equal tolerations have equal texts.
  const isRepeat = repeatsIn(tolerations, (toleration) => JSON.stringify(toleration))
  return tolerations.flatMap((toleration, i) => {
    if (!isRepeat(i)) return []
    const value = printedStructure('Toleration', toleration)
    return [duplicatePrinted(`scheduling.tolerations[${i}]`, value)]
  })
}

export const nodeKinds: readonly Kind[] = [
  {
    group: 'node.k8s.io',
    kind: 'RuntimeClass',
    strategy: runtimeClassStrategy,
    updateChecks: OBJECT_FIRST,
    declared: {
      members: {
        handler: {
          first: [mustBeSet, mustNotChange],
          all: [inFormat(dnsLabelProblems)],
          replaces: /^Invalid value: ""/,
        },
      },
    },
  },
]
