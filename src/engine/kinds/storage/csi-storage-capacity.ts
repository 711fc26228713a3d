/** Rules of CSIStorageCapacities. Recorded from kube-apiserver 1.31. */

import { equalJson, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { compareQuantities, parseQuantity, ZERO_QUANTITY } from '../../schema/quantity'
import { invalidValue } from '../../validation/field-errors'
import {
  invalidSelector,
  type LabelSelectorObject,
  labelSelectorErrors,
} from '../../validation/label-selectors'
import { dnsSubdomainProblems } from '../../validation/names'
import { oldSelectorWarnings } from '../../validation/node-labels'

interface Capacity extends KubeObject {
  nodeTopology?: LabelSelectorObject
  storageClassName?: string
  capacity?: string
}

export const csiStorageCapacityStrategy: Strategy = {
  allowUnconditionalUpdate: false,
  validate(object) {
    const { nodeTopology, storageClassName = '', capacity = '0' } = object as Capacity
    const isNegative = compareQuantities(parseQuantity(capacity), ZERO_QUANTITY) < 0
    return [
      ...labelSelectorErrors(nodeTopology, 'nodeTopology'),
      ...dnsSubdomainProblems(storageClassName).map((problem) =>
        invalidValue('storageClassName', storageClassName, problem),
      ),
      ...(isNegative
        ? [invalidValue('capacity', capacity, 'must be greater than or equal to 0')]
        : []),
    ]
  },
  warningsOnCreate: (object) =>
    oldSelectorWarnings((object as Capacity).nodeTopology, 'nodeTopology'),
  warningsOnUpdate: (object) =>
    oldSelectorWarnings((object as Capacity).nodeTopology, 'nodeTopology'),
  validateUpdate(object, old) {
    const [{ nodeTopology, storageClassName }, before] = [object as Capacity, old as Capacity]
    const why = 'field is immutable'
    const errors: FieldError[] = []
    if (!equalJson(nodeTopology, before.nodeTopology))
      errors.push(invalidSelector('nodeTopology', nodeTopology, why))
    if (storageClassName !== before.storageClassName)
      errors.push(invalidValue('storageClassName', storageClassName, why))
    return errors
  },
}
