import { describe, expect } from 'vitest'
import type { JsonObject } from '../../../src/engine/core/object'

import { change, moving } from './change'

describe('disruption budgets', () => {
  const path = (version: string) =>
    `/apis/policy/${version}/namespaces/default/poddisruptionbudgets`
  const budget = (apiVersion: string, name: string, spec: JsonObject) => ({
    apiVersion,
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec,
  })
  change('1.25 PodDisruptionBudget', 'empty-selector', async () => {
    const { writeOld, readOld, writeNew, readNew } = moving('1.24', '1.25')
    await writeOld(
      path('v1beta1'),
      budget('policy/v1beta1', 'none', { minAvailable: 1, selector: {} }),
    )
    await writeOld(path('v1beta1'), budget('policy/v1beta1', 'unset', { minAvailable: 1 }))
    await writeNew(path('v1'), budget('policy/v1', 'all', { minAvailable: 1, selector: {} }))
    const about = (operator: string) => ({
      matchExpressions: [
        { key: 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match', operator },
      ],
    })
    expect((await readNew(`${path('v1')}/none`)).json.spec.selector).toEqual(about('Exists'))
    expect((await readNew(`${path('v1')}/unset`)).json.spec).not.toHaveProperty('selector')
    expect((await readOld(`${path('v1beta1')}/none`)).json.spec.selector).toEqual({})
    expect((await readOld(`${path('v1beta1')}/all`)).json.spec.selector).toEqual(
      about('DoesNotExist'),
    )
  })
})
