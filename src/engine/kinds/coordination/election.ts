/** Rules of LeaseCandidates and coordinated leader election. Recorded from kube-apiserver 1.31. */

import { append } from '../../core/lists'
import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { dataKeyProblems } from '../../validation/data-keys'
import { invalidValue, notSupported, required } from '../../validation/field-errors'
import { qualifiedNameProblems } from '../../validation/names'
import {
  compareSemantic,
  parseVersion,
  type Version,
  ZERO_VERSION,
} from '../../validation/versions'

const OLDEST = 'OldestEmulationVersion'

/** Built-in, or under a domain. */
export function strategyErrors(path: string, strategy: string): FieldError[] {
  const field = `${path}.strategy`
  if (!strategy.includes('/'))
    return strategy === OLDEST ? [] : [notSupported(field, strategy, [OLDEST])]
  return qualifiedNameProblems(strategy).map((problem) => invalidValue(field, strategy, problem))
}

interface Spec {
  leaseName?: string
  binaryVersion?: string
  emulationVersion?: string
  preferredStrategies?: string[]
}

const specOf = (object: KubeObject): Spec => (object.spec ?? {}) as Spec

export const leaseCandidateStrategy: Strategy = {
  nameRule: (name) => [...dataKeyProblems(name)],
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  laxFinalizers: true,
  validate: (object) => candidateErrors(specOf(object)),
  validateUpdate(object, old) {
    const { leaseName = '' } = specOf(object)
    return leaseName === specOf(old).leaseName
      ? []
      : [invalidValue('spec.leaseName', leaseName, 'field is immutable')]
  },
}

function candidateErrors({
  leaseName,
  binaryVersion = '',
  emulationVersion = '',
  preferredStrategies = [],
}: Spec): FieldError[] {
  const binary = versionOf('spec.binaryVersion', binaryVersion)
  const emulated = versionOf('spec.emulationVersion', emulationVersion)
  const errors = [
    ...(leaseName ? [] : [required('spec.leaseName')]),
    ...emulated.errors,
    ...binary.errors,
  ]
  if (
    binaryVersion !== '' &&
    emulationVersion !== '' &&
    compareSemantic(binary.version, emulated.version) < 0
  )
    errors.push(
      invalidValue(
        'spec.binaryVersion',
        binaryVersion,
        'must be greater than or equal to `emulationVersion`',
      ),
    )
  for (const [i, strategy] of preferredStrategies.entries()) {
    append(errors, strategyErrors(`spec.preferredStrategies[${i}]`, strategy))
    if (strategy !== OLDEST) continue
    for (const [name, { version }] of Object.entries({
      binaryVersion: binary,
      emulationVersion: emulated,
    })) {
      if (compareSemantic(version, ZERO_VERSION) === 0)
        errors.push(required(`spec.${name}`, `must be specified when \`strategy\` is '${OLDEST}'`))
    }
  }
  return errors
}

/** A malformed version counts as the lowest. */
function versionOf(field: string, text: string): { version: Version; errors: FieldError[] } {
  const version = text === '' ? ZERO_VERSION : parseVersion(text)
  if (version !== undefined) return { version, errors: [] }
  return {
    version: ZERO_VERSION,
    errors: [invalidValue(field, text, 'must be a valid semantic version')],
  }
}
